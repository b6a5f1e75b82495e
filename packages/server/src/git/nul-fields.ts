/** Splits output at NUL bytes as it arrives. `end` passes on what follows the last one, if anything. */
export function createFieldReader(onField: (field: Buffer) => void) {
  let rest: Buffer[] = [];
  return {
    push(chunk: Buffer): void {
      let start = 0;
      for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
        const piece = chunk.subarray(start, end);
        onField(rest.length === 0 ? piece : Buffer.concat([...rest, piece]));
        rest = [];
        start = end + 1;
      }
      if (start < chunk.length) rest.push(chunk.subarray(start));
    },
    end(): void {
      if (rest.length > 0) onField(Buffer.concat(rest));
      rest = [];
    },
  };
}

/** The fields of complete output. */
export function fieldsOf(output: Buffer): Buffer[] {
  const fields: Buffer[] = [];
  const reader = createFieldReader((field) => fields.push(field));
  reader.push(output);
  reader.end();
  return fields;
}
