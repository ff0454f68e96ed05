import type { Dialect } from './sampleForge.ts';

/** REST dialects. */
export type RestDialect = Exclude<Dialect, 'graphql'>;

const allDialects: readonly Dialect[] = ['field', 'document', 'graphql'];

/** Dialects that suites run in: those in FORGE_DESK_DIALECTS, separated by commas, or all by default. */
export function allChosenDialects(named = process.env['FORGE_DESK_DIALECTS'] ?? ''): readonly Dialect[] {
	const names = named.split(',').filter((name) => name.trim() !== '');
	const unknown = names.find((name) => !allDialects.some((dialect) => dialect === name.trim()));
	if (unknown !== undefined) {
		throw new Error(`FORGE_DESK_DIALECTS names ${unknown.trim()}, which is none of ${allDialects.join(', ')}`);
	}
	return names.length === 0
		? allDialects
		: allDialects.filter((dialect) => names.some((name) => name.trim() === dialect));
}

/** The selected REST dialects. */
export function chosenDialects(named?: string): readonly RestDialect[] {
	return allChosenDialects(named).filter((dialect) => dialect !== 'graphql');
}
