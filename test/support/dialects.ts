import type { Dialect } from './sampleForge.ts';

/** The dialects that speak REST. */
export type RestDialect = Exclude<Dialect, 'graphql'>;

const allDialects: readonly RestDialect[] = ['field', 'document'];

/** The dialects that suites run in: those that FORGE_DESK_DIALECTS names, parted by commas, or both without it. */
export function chosenDialects(named = process.env['FORGE_DESK_DIALECTS'] ?? ''): readonly RestDialect[] {
	const names = named.split(',').filter((name) => name.trim() !== '');
	const unknown = names.find((name) => !allDialects.some((dialect) => dialect === name.trim()));
	if (unknown !== undefined) {
		throw new Error(`FORGE_DESK_DIALECTS names ${unknown.trim()}, which is neither ${allDialects.join(' nor ')}`);
	}
	return names.length === 0
		? allDialects
		: allDialects.filter((dialect) => names.some((name) => name.trim() === dialect));
}
