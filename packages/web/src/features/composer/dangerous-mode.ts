import type { Choice } from '@liminal/contracts';

const words =
  /bypass|full[ _-]?access|danger|yolo|skip[ _-]?permissions?|without (asking|approval|permission)|never asks?/i;

/** Whether a mode lets the agent act with nobody asked; the server checks for itself, this only asks beforehand. */
export const isDangerous = (mode: Choice): boolean => words.test(`${mode.id} ${mode.name} ${mode.description ?? ''}`);
