/** The number of an item's last change; the epoch says in which numbering, for numbers start over with each. */
export const itemChangesMigration = `
ALTER TABLE items ADD COLUMN epoch TEXT;
ALTER TABLE items ADD COLUMN seq INTEGER;
`;
