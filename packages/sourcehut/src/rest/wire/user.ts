import * as v from 'valibot';
import type { Participant, ShortUser, User } from '../../port/user.ts';
import type { ExtraField, WithExtra } from '../../port/extra.ts';
import { isObject } from '../../answers/decoding.ts';

/*
 * The contract shows no field of the user resource, so these are observed (docs/protocol.md#users). In 2022, responses
 * to repository writes spelled `canonicalName` (docs/protocol.md#later-servers).
 */

const names = {
	canonical_name: v.nullish(v.string()),
	canonicalName: v.nullish(v.string()),
	name: v.nullish(v.string()),
};

type WireNames = v.InferOutput<v.ObjectSchema<typeof names, undefined>>;

function shortUserOf(wire: WireNames): ShortUser | undefined {
	const canonicalName = wire.canonical_name ?? wire.canonicalName ?? (wire.name ? `~${wire.name}` : undefined);
	return canonicalName === undefined
		? undefined
		: { canonicalName, name: wire.name ?? canonicalName.replace(/^~/, '') };
}

export const shortUser = v.pipe(
	v.object(names),
	v.rawTransform(({ dataset, addIssue, NEVER }): ShortUser => {
		const user = shortUserOf(dataset.value);
		if (user === undefined) {
			addIssue({
				expected: 'string',
				input: dataset.value.canonical_name,
				path: [
					{
						type: 'object',
						origin: 'value',
						input: dataset.value,
						key: 'canonical_name',
						value: dataset.value.canonical_name,
					},
				],
			});
			return NEVER;
		}
		return user;
	}),
);

export const user = v.pipe(
	v.intersect([
		shortUser,
		v.object({
			email: v.nullish(v.string()),
			url: v.nullish(v.string()),
			location: v.nullish(v.string()),
			bio: v.nullish(v.string()),
		}),
	]),
	v.transform((wire): User => ({
		canonicalName: wire.canonicalName,
		name: wire.name,
		email: wire.email ?? undefined,
		url: wire.url ?? undefined,
		location: wire.location ?? undefined,
		bio: wire.bio ?? undefined,
	})),
);

/** A participant of a ticket (docs/protocol.md#participants). In the contract: a short-form user. */
export const participant = v.pipe(
	v.object({
		...names,
		type: v.nullish(v.string()),
		address: v.nullish(v.string()),
		external_id: v.nullish(v.string()),
		external_url: v.nullish(v.string()),
	}),
	v.rawTransform(({ dataset, addIssue, NEVER }): Participant => {
		const found = participantOf(dataset.value);
		if (found === undefined) {
			addIssue({ expected: 'participant' });
			return NEVER;
		}
		return found;
	}),
);

interface WireParticipant extends WireNames {
	readonly type?: string | null | undefined;
	readonly address?: string | null | undefined;
	readonly external_id?: string | null | undefined;
	readonly external_url?: string | null | undefined;
}

function participantOf(wire: WireParticipant): Participant | undefined {
	if (typeof wire.address === 'string' && wire.type !== 'user') {
		return { kind: 'email', address: wire.address, name: wire.name ?? undefined };
	}
	if (typeof wire.external_id === 'string' && wire.type !== 'user') {
		return { kind: 'external', externalId: wire.external_id, externalUrl: wire.external_url ?? undefined };
	}
	const account = wire.type === 'email' || wire.type === 'external' ? undefined : shortUserOf(wire);
	return account && { kind: 'user', canonicalName: account.canonicalName, name: account.name };
}

/** Software version of a server (docs/protocol.md#versions). */
export const version = v.pipe(
	v.object({ version: v.string() }),
	v.transform((wire) => wire.version),
);

/** Enough for a tooltip. */
const mostFields = 20;
const longestJson = 200;

/** Fields missing in `known`, the schema's own table of entries. */
export function extraOf(wire: Readonly<Record<string, unknown>>, known: Readonly<Record<string, unknown>>): WithExtra {
	const extra: ExtraField[] = [];
	for (const name in wire) {
		if (!Object.hasOwn(known, name) && extra.length < mostFields) {
			// Reads no further: the value may be large and deeply nested.
			const json = jsonWithin(wire[name], longestJson);
			extra.push({ name, json: json.length <= longestJson ? json : `${json.slice(0, longestJson - 1)}…` });
		}
	}
	return extra.length === 0 ? {} : { extra };
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
