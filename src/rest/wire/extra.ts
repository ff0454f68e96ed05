import type { ExtraField, WithExtra } from '../../forge/extra.ts';
import { isObject } from '../../answers/decoding.ts';

/** More than a tooltip can hold helps nobody. */
const mostFields = 20;
const longestJson = 200;

/** The fields of an answer that `known` does not name; `known` is the schema's own table of entries. */
export function extraOf(wire: Readonly<Record<string, unknown>>, known: Readonly<Record<string, unknown>>): WithExtra {
	const names = Object.keys(wire).filter((name) => !Object.hasOwn(known, name));
	return names.length === 0
		? {}
		: { extra: names.slice(0, mostFields).map((name): ExtraField => ({ name, json: shortJson(wire[name]) })) };
}

/** The beginning of a value's JSON. No more of the value is looked at: it may be large, and nested without an end. */
function shortJson(value: unknown): string {
	const json = jsonWithin(value, longestJson);
	return json.length <= longestJson ? json : `${json.slice(0, longestJson - 1)}…`;
}

/** A value's JSON, of which only the first `room` characters count once there are more. Each step down takes some. */
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
