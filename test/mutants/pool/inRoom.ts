import type { Fault } from '../fault.ts';

/** Faults of one room, whose files are given as they are called there. */
export function inRoom(room: string, faults: readonly Omit<Fault, 'room'>[]): readonly Fault[] {
	return faults.map((fault) => ({ ...fault, room, file: `src/${room}/${fault.file}` }));
}
