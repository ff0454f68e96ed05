import type { IncomingMessage } from 'node:http';
import type { Body, Dialect } from './area.ts';
import type { Problem } from './answers.ts';
import { crash, problems, Refusal } from './answers.ts';
import { check } from './checks.ts';

const MAX_BODY_BYTES = 64 * 1024 * 1024;

/**
 * Reads and parses a request body by the server's rules (docs/protocol.md#request-bodies). Rejects only when the
 * connection breaks.
 */
export async function readBody(request: IncomingMessage, dialect: Dialect): Promise<Body> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of request) {
		if (chunk instanceof Uint8Array && length < MAX_BODY_BYTES) {
			chunks.push(chunk);
			length += chunk.length;
		}
	}
	const bytes = Buffer.concat(chunks);
	return parseBody(bytes, request.headers['content-type'] ?? '', dialect);
}

/** The body of a request that has none. */
export const emptyBody: Body = { fields: {}, problems: [], bytes: new Uint8Array() };

/** `contentType` is the value of the header. */
function parseBody(bytes: Uint8Array, contentType: string, dialect: Dialect): Body {
	if (isJson(contentType, dialect)) {
		return parseJson(bytes);
	}
	if (/^application\/x-www-form-urlencoded\b/i.test(contentType)) {
		const fields = Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes)));
		return { fields, problems: [], bytes };
	}
	return { fields: {}, problems: [], bytes };
}

function isJson(contentType: string, dialect: Dialect): boolean {
	return dialect.exactContentType
		? contentType === 'application/json'
		: /^application\/json\s*(;|$)/i.test(contentType);
}

function parseJson(bytes: Uint8Array): Body {
	let value: unknown;
	try {
		value = JSON.parse(new TextDecoder().decode(bytes));
	} catch {
		return { fields: {}, problems: ['Invalid JSON provided'], bytes };
	}
	return isRecord(value)
		? { fields: value, problems: [], bytes }
		: { fields: {}, problems: ['Expected JSON dictionary'], bytes };
}

/** A JSON object (no array, no null). */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An array of strings and nothing else. */
export function isTexts(value: unknown): value is string[] {
	return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

export interface TextRule {
	readonly required?: boolean;
	/** Name in the "is required" sentence; defaults to the field's name. */
	readonly label?: string;
	/** Null counts as left out instead of as an error. */
	readonly nullable?: boolean;
	/** Bounds of the length in characters, both inclusive. */
	readonly min?: number;
	readonly max?: number;
}

/** Collects all problems of a body for a single answer. */
export type Validation = ReturnType<typeof validate>;

export function validate(dialect: Dialect, body: Body) {
	const noted: Problem[] = body.problems.map((reason) => ({ reason }));
	/** Notes a problem unless `holds`. */
	const expect = (holds: boolean, reason: string, field?: string): void => {
		if (!holds) {
			noted.push(field === undefined ? { reason } : { field, reason });
		}
	};
	/** True for a present field, even with null. */
	const has = (field: string): boolean => Object.hasOwn(body.fields, field);
	const raw = (field: string): unknown => (has(field) ? body.fields[field] : undefined);
	/** The field as text; undefined when left out or wrong (the problem is then noted). */
	const text = (field: string, rule: TextRule = {}): string | undefined => {
		const value = raw(field);
		if (value === null) {
			expect(rule.nullable === true, `${field} may not be null`, field);
			return undefined;
		}
		if (value === undefined || value === '') {
			expect(rule.required !== true, `${rule.label ?? field} is required`, field);
			return value;
		}
		if (typeof value !== 'string') {
			throw crash(dialect, new Refusal(problems(400, [{ field, reason: `${field} should be a str` }])));
		}
		expect(lengthFits(value, rule), lengthSentence(rule.label ?? field, rule), field);
		return value;
	};
	/** Throws an error answer if there are problems. */
	const done = (status = 400): void => {
		check(noted.length === 0, () => new Refusal(problems(status, noted)));
	};
	return { has, raw, text, expect, done };
}

function lengthFits(value: string, { min = 0, max = Infinity }: TextRule): boolean {
	const length = Array.from(value).length;
	return length >= min && length <= max;
}

function lengthSentence(label: string, { min, max }: TextRule): string {
	if (min !== undefined && max !== undefined) {
		return `${label} must be between ${min} and ${max} characters.`;
	}
	return max === undefined
		? `${label} must be at least ${min ?? 0} characters.`
		: `${label} must be less than ${max + 1} characters.`;
}
