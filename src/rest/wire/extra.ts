import type { WithExtra } from '../../forge/extra.ts';

/** More than a tooltip can hold helps nobody. */
const mostFields = 20;
const longestJson = 200;

/** The fields of an answer that `known` does not name; `known` is the schema's own table of entries. */
export function extraOf(wire: Readonly<Record<string, unknown>>, known: Readonly<Record<string, unknown>>): WithExtra {
	const names = Object.keys(wire).filter((name) => !Object.hasOwn(known, name));
	return names.length === 0
		? {}
		: { extra: names.slice(0, mostFields).map((name) => ({ name, json: short(JSON.stringify(wire[name])) })) };
}

function short(json: string): string {
	return json.length <= longestJson ? json : `${json.slice(0, longestJson - 1)}…`;
}
