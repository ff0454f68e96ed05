import * as v from 'valibot';
import { isObject, Misread, type Decoder } from '../../answers/decoding.ts';
import type { WithExtra } from '../../port/extra.ts';
import type { GraphqlError } from './answer.ts';

/** Key under which an object lists its failed fields. GraphQL reserves names with two underscores. */
export const unsentKey = '__unsent';

/** Entry for schemas that accept an object without some of its fields. */
export const partly = { [unsentKey]: v.optional(v.pipe(v.array(v.string()), v.readonly()), []) };

/** The failed fields as a mark of the domain value. */
export function unsentIn({ [unsentKey]: names }: { readonly [unsentKey]: readonly string[] }): WithExtra {
	return names.length === 0 ? {} : { extra: names.map((name) => ({ name, json: undefined })) };
}

/**
 * Decodes data with failed fields (docs/protocol.md#partly-null-answers). It removes each failed field, and the nearest
 * marked object lists the field. `undefined` rejects the answer: an error points at no null, a schema needs the field,
 * or the object's schema has no entry for the mark.
 */
export function readPart<Answer>(
	read: Decoder<Answer>,
	data: unknown,
	errors: readonly GraphqlError[],
): Answer | undefined {
	const copy: unknown = structuredClone(data);
	const failed = errors.flatMap(({ path = [] }) => failedField(copy, path) ?? []);
	if (failed.length < errors.length) {
		return undefined;
	}
	failed.forEach(({ inside, name }) => delete inside[name]);
	const things = Map.groupBy(failed, ({ thing }) => thing);
	const unread = new Set(things.keys());
	for (const [thing, fields] of things) {
		const labels = [...new Set(fields.map(({ label }) => label))];
		// Reading the property proves that the schema has the entry.
		const get = (): readonly string[] => (unread.delete(thing), labels);
		Object.defineProperty(thing, unsentKey, { get, enumerable: true });
	}
	try {
		const found = read(copy);
		return unread.size === 0 ? found : undefined;
	} catch (error) {
		if (error instanceof Misread) {
			return undefined;
		}
		throw error;
	}
}

type Fields = Record<string | number, unknown>;

/** The null that an error points at. */
interface FailedField {
	readonly inside: Fields;
	readonly name: string | number;
	/** The nearest object around it that can carry a mark: it has an id, is a page or an entry of one, or is the answer. */
	readonly thing: Fields;
	/** Path from `thing`. */
	readonly label: string;
}

function failedField(data: unknown, path: readonly (string | number)[]): FailedField | undefined {
	const top = topOf(data);
	let at = data;
	let thing: Fields | undefined;
	let steps: { readonly inside: Fields; readonly name: string | number }[] = [];
	for (const [place, name] of path.entries()) {
		// A server must not reach `__proto__` by the path of an error.
		if (!isFields(at) || !Object.hasOwn(at, name)) {
			break;
		}
		const isEntry = path[place - 2] === 'results' && typeof path[place - 1] === 'number';
		const isPageOrNamed = !Array.isArray(at) && ('id' in at || 'results' in at);
		if (at === top || isEntry || isPageOrNamed) {
			thing = at;
			steps = [];
		}
		steps.push({ inside: at, name });
		at = at[name];
	}
	const [last] = steps.slice(-1);
	const names = steps.map(({ name }) => name).filter((name) => typeof name === 'string');
	return last && thing && at === null ? { ...last, thing, label: names.join('.') } : undefined;
}

/** The outermost object with more than one field, or a page. */
function topOf(data: unknown): unknown {
	const [inside, another] = isFields(data) && !Array.isArray(data) ? Object.values(data) : [];
	return another === undefined && isFields(inside) && !Array.isArray(inside) ? topOf(inside) : data;
}

function isFields(value: unknown): value is Fields {
	return isObject(value);
}
