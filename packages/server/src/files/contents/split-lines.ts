/**
 * Splits a stream into lines as it arrives. A line longer than `longest` bytes is reported as null, and at most that
 * much of it is held in memory.
 */
export function createLineSplitter(longest: number, onLine: (line: string | null) => void): (chunk: Buffer) => void {
  let [parts, length] = [[] as Buffer[], 0];
  return (chunk) => {
    for (let start = 0; ;) {
      const end = chunk.indexOf('\n', start);
      const part = chunk.subarray(start, end === -1 ? chunk.length : end);
      length += part.length;
      if (length > longest) parts = [];
      else parts.push(part);
      if (end === -1) return;
      const line = length > longest ? null : Buffer.concat(parts).toString('utf8');
      [parts, length] = [[], 0];
      onLine(line);
      start = end + 1;
    }
  };
}
