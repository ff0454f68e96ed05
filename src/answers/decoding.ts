import * as v from 'valibot';

/** Reads one JSON value. Throws `Misread` for what it cannot be. */
export type Decoder<T> = (value: unknown) => T;

/** A value that is not what it should be. `at`: the spot below the decoded value, as `.tracker.owner` or `[3].title`. */
export class Misread extends Error {
	override readonly name = 'Misread';
	readonly at: string;
	readonly why: string;

	constructor(at: string, why: string) {
		super(`${at}: ${why}`);
		this.at = at;
		this.why = why;
	}

	/** The same, seen from further up. */
	below(spot: string): Misread {
		return new Misread(`${spot}${this.at}`, this.why);
	}

	/** The same, in a list that has `count` items more before those that it was counted in. */
	behind(count: number): Misread {
		const [, place, rest = ''] = /^\[(\d+)\](.*)$/s.exec(this.at) ?? [];
		return place === undefined ? this : new Misread(`[${Number(place) + count}]${rest}`, this.why);
	}
}

/** The decoder of a valibot schema. Stops at the first wrong spot. */
export function decoder<Output>(schema: v.GenericSchema<unknown, Output>): Decoder<Output> {
	return (value) => {
		const result = v.safeParse(schema, value, { abortEarly: true });
		if (!result.success) {
			const [issue] = result.issues;
			throw new Misread(spotOf(issue.path), whyOf(issue));
		}
		return result.output;
	};
}

/** Decodes each item; a wrong one is told by its place. */
export function decodeItems<T>(values: readonly unknown[], decode: Decoder<T>): readonly T[] {
	const items: T[] = [];
	let place = 0;
	try {
		for (; place < values.length; place += 1) {
			items.push(decode(values[place]));
		}
	} catch (error) {
		throw error instanceof Misread ? error.below(`[${place}]`) : error;
	}
	return items;
}

/** True for JSON objects (and arrays, whose named fields are all missing). */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null;
}

/** What a value is, without its content: contents of answers belong in no message. */
export function nameOf(value: unknown): string {
	if (value === null) {
		return 'null';
	}
	return Array.isArray(value) ? 'Array' : typeof value;
}

function spotOf(path: readonly v.IssuePathItem[] | undefined): string {
	return (path ?? []).map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
}

function whyOf(issue: v.BaseIssue<unknown>): string {
	return `expected ${issue.expected ?? issue.message}, found ${nameOf(issue.input)}`;
}
