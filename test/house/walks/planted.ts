import type { Moment } from './trace.ts';

/** A statement that tells the tracer of a moment, planted where the sources have no event of their own. */
export interface Planted {
	/** `src/patch/parseDiff.ts` */
	readonly file: string;
	/** The text right behind which the statement stands; the only one of its kind in the file. */
	readonly behind: string;
	readonly moment: Moment['name'];
	/** An expression for what it is about. */
	readonly about: string;
}

/** The text with the statement in it, on a line that is there already. */
export function plantedIn(text: string, { file, behind, moment, about }: Planted): string {
	const [before, after, ...more] = text.split(behind);
	if (before === undefined || after === undefined || more.length > 0) {
		throw new Error(`${file} does not have once: ${behind}`);
	}
	return `${before}${behind} globalThis[Symbol.for('forgeDesk.walks')]?.(${JSON.stringify(moment)}, ${about});${after}`;
}
