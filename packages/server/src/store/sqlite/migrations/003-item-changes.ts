/** The number of an item's last change, and its epoch, because numbers start over with each epoch. */
export const itemChangesMigration = `
ALTER TABLE items ADD COLUMN epoch TEXT;
ALTER TABLE items ADD COLUMN seq INTEGER;
`;
