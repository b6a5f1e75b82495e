/** `until` is an ISO time or `change`. */
export type SnoozeChoice = { readonly label: string; readonly until: string; readonly notice: string };

const hourMs = 3_600_000;
const morning = 9;

/** Nine o'clock in the morning, this many days from now, on the person's own clock. */
function morningIn(days: number, now: number): string {
  const at = new Date(now);
  at.setDate(at.getDate() + days);
  at.setHours(morning, 0, 0, 0);
  return at.toISOString();
}

/** How long a session can be kept out of the inbox. */
export const snoozeChoices = (now: number): readonly SnoozeChoice[] => [
  { label: 'Until it changes', until: 'change', notice: 'Snoozed until it changes.' },
  { label: 'For an hour', until: new Date(now + hourMs).toISOString(), notice: 'Snoozed for an hour.' },
  { label: 'Until tomorrow, 9:00', until: morningIn(1, now), notice: 'Snoozed until tomorrow.' },
  { label: 'For a week', until: morningIn(7, now), notice: 'Snoozed for a week.' },
];
