import * as v from 'valibot';
import { isObject, Misread, type Decoder } from '../../answers/decoding.ts';
import type { WithExtra } from '../../forge/extra.ts';
import type { GraphqlError } from './answer.ts';

/** Key under which an object lists its failed fields. GraphQL reserves names with two underscores. */
export const unsentKey = '__unsent';

/** The failed fields of one object. */
class Unsent {
	readonly names = new Set<string>();
	isRead = false;
}

/** Entry for schemas that accept an object without some of its fields. */
export const partly = {
	[unsentKey]: v.optional(
		v.pipe(
			v.instance(Unsent),
			v.transform((unsent): readonly string[] => {
				unsent.isRead = true;
				return [...unsent.names];
			}),
		),
		() => new Unsent(),
	),
};

/** The failed fields as a mark of the domain value. */
export function unsentIn({ [unsentKey]: names }: { readonly [unsentKey]: readonly string[] }): WithExtra {
	return names.length === 0 ? {} : { extra: names.map((name) => ({ name, json: undefined })) };
}

/**
 * Reads data with failed fields (docs/protocol.md#partly-null-answers). It removes each failed field, and the nearest thing
 * around it lists the field. `undefined` refuses the answer: an error points at no null, a schema needs the field, or the
 * schema of the thing has no entry for the mark.
 */
export function readPart<Answer>(
	read: Decoder<Answer>,
	data: unknown,
	errors: readonly GraphqlError[],
): Answer | undefined {
	const part = markedData(data, errors);
	if (part === undefined) {
		return undefined;
	}
	try {
		const found = read(part.data);
		return part.marks.every(({ isRead }) => isRead) ? found : undefined;
	} catch (error) {
		if (error instanceof Misread) {
			return undefined;
		}
		throw error;
	}
}

type Fields = Record<string | number, unknown>;

interface MarkedData {
	readonly data: unknown;
	readonly marks: readonly Unsent[];
}

/** One step of an error's path, down to the null. */
interface Step {
	readonly inside: Fields;
	readonly name: string | number;
	/** `inside` can carry a mark: it has an id, is a page or an entry of one, or is the whole answer. */
	readonly isThing: boolean;
}

function markedData(data: unknown, errors: readonly GraphqlError[]): MarkedData | undefined {
	const copy: unknown = structuredClone(data);
	const top = topOf(copy);
	const nulls = errors.map(({ path }) => (path ? stepsToNull(copy, path, top) : []));
	const marks = new Map<Fields, Unsent>();
	for (const steps of nulls) {
		const from = steps.findLastIndex(({ isThing }) => isThing);
		const thing = steps[from]?.inside;
		if (thing === undefined) {
			return undefined;
		}
		const names = steps.slice(from).flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
		const mark = marks.get(thing) ?? new Unsent();
		mark.names.add(names.join('.'));
		marks.set(thing, mark);
	}
	for (const { inside, name } of nulls.flatMap((steps) => steps.slice(-1))) {
		delete inside[name];
	}
	marks.forEach((mark, thing) => (thing[unsentKey] = mark));
	return { data: copy, marks: [...marks.values()] };
}

/** Empty if the path leads to no null. */
function stepsToNull(data: unknown, path: readonly (string | number)[], top: unknown): readonly Step[] {
	const steps: Step[] = [];
	let at = data;
	for (const name of path) {
		// A server must not reach `__proto__` by the path of an error.
		if (!isFields(at) || !Object.hasOwn(at, name)) {
			break;
		}
		const [before, last] = steps.slice(-2);
		const isListed = before?.name === 'results' && Array.isArray(last?.inside);
		const isThing = !Array.isArray(at) && (at === top || isListed || 'id' in at || 'results' in at);
		steps.push({ inside: at, name, isThing });
		at = at[name];
	}
	return at === null ? steps : [];
}

/** The outermost object with more than one field, or a page. */
function topOf(data: unknown): unknown {
	const [inside, another] = isFields(data) && !Array.isArray(data) ? Object.values(data) : [];
	return another === undefined && isFields(inside) && !Array.isArray(inside) ? topOf(inside) : data;
}

function isFields(value: unknown): value is Fields {
	return isObject(value);
}
