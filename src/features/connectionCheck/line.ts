import type { Remedy } from './remedies.ts';

/** `warning`: works, with a limit. `action`: something fails until the user does something. */
export type Level = 'ok' | 'warning' | 'action';

/** One finding in words: one sentence, and its next step. */
export interface Line {
	readonly level: Level;
	readonly text: string;
	readonly remedy: Remedy | undefined;
}

export function ok(text: string): Line {
	return { level: 'ok', text, remedy: undefined };
}

export function warning(text: string, remedy: Remedy | undefined): Line {
	return { level: 'warning', text, remedy };
}

export function action(text: string, remedy: Remedy | undefined): Line {
	return { level: 'action', text, remedy };
}
