import type { ExtraField, WithExtra } from '../../port/extra.ts';
import { isObject } from '../../answers/decoding.ts';

/** Enough for a tooltip. */
const mostFields = 20;
const longestJson = 200;

/** Fields missing in `known`, the schema's own table of entries. */
export function extraOf(wire: Readonly<Record<string, unknown>>, known: Readonly<Record<string, unknown>>): WithExtra {
	const extra: ExtraField[] = [];
	for (const name in wire) {
		if (!Object.hasOwn(known, name) && extra.length < mostFields) {
			extra.push({ name, json: shortJson(wire[name]) });
		}
	}
	return extra.length === 0 ? {} : { extra };
}

/** Start of a value's JSON. Reads no further: the value may be large and deeply nested. */
function shortJson(value: unknown): string {
	const json = jsonWithin(value, longestJson);
	return json.length <= longestJson ? json : `${json.slice(0, longestJson - 1)}…`;
}

/** A value's JSON, complete only up to `room` characters. Each level uses some, which bounds the recursion. */
function jsonWithin(value: unknown, room: number): string {
	if (room < 0) {
		return '';
	}
	if (!isObject(value)) {
		return JSON.stringify(typeof value === 'string' ? value.slice(0, longestJson) : value);
	}
	const isList = Array.isArray(value);
	let json = isList ? '[' : '{';
	for (const [name, inner] of Object.entries(value)) {
		if (json.length > room) {
			return json;
		}
		json += json.length > 1 ? ',' : '';
		json += isList ? '' : `${jsonWithin(name, room)}:`;
		json += jsonWithin(inner, room - json.length);
	}
	return json + (isList ? ']' : '}');
}
