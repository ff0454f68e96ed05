import type { Clock } from './clock.ts';

/** Lets others have their turn. */
export function nextTurn(clock: Clock): Promise<void> {
	return new Promise((resolve) => {
		clock.after(0, resolve);
	});
}
