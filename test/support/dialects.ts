import type { Dialect } from './sampleForge.ts';

/** The dialects that speak REST. */
export type RestDialect = Exclude<Dialect, 'graphql'>;

const allDialects: readonly Dialect[] = ['field', 'document', 'graphql'];

/** The dialects that suites run in: those that FORGE_DESK_DIALECTS names, parted by commas, or all without it. */
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

/** Those of them that speak REST. */
export function chosenDialects(named?: string): readonly RestDialect[] {
	return allChosenDialects(named).filter((dialect) => dialect !== 'graphql');
}
