type Client = { sendCommand<T>(args: readonly string[]): Promise<T> };

/** Processor time of Redis since it started, in microseconds. */
export async function redisProcessorTime(client: Client): Promise<number> {
  const info = await client.sendCommand<string>(['INFO', 'cpu']);
  const seconds = (name: string) => Number(new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1] ?? Number.NaN);
  return (seconds('used_cpu_user') + seconds('used_cpu_sys')) * 1e6;
}
