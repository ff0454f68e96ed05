import * as fc from 'fast-check';

/* JSON of servers for property tests: normal resources, and copies with one wrong or unusual spot. */

const time = fc.constantFrom(
	'2026-11-20T07:04:51+00:00',
	'2020-02-29T23:59:59+00:00',
	'2022-04-08T11:12:36.123456Z',
	'2020-03-01T10:01:00+05:30',
	'2026-11-20T07:04:51',
	'1999-12-31T00:00:00Z',
);
const name = fc.constantFrom('alice', 'bob', 'ümlaut', '', '__proto__');
const shortUser = name.map((text) => ({ canonical_name: `~${text}`, name: text }));
const participant = fc.oneof(
	{ weight: 5, arbitrary: shortUser.map((user) => ({ type: 'user', ...user })) },
	{ weight: 2, arbitrary: shortUser },
	fc.record({ type: fc.constant('email'), address: name, name: fc.option(name) }),
	fc.record({ type: fc.constant('external'), external_id: name, external_url: fc.option(name) }),
);
const id = fc.integer({ min: 1, max: 5 });
const tracker = fc.record({ id, owner: shortUser, created: time, updated: time, name });
const words = fc.array(fc.constantFrom('browse', 'triage', 'fly'), { maxLength: 2 });
const status = fc.constantFrom('reported', 'confirmed', 'in_progress', 'pending', 'resolved', 'dreamt');
const resolution = fc.constantFrom('unresolved', 'fixed', 'duplicate', 'closed', 'eaten');

export const ticketJson = fc.record({
	id,
	ref: name,
	tracker,
	title: name,
	created: time,
	updated: time,
	submitter: participant,
	description: name,
	status,
	resolution,
	permissions: fc.record({ anonymous: fc.option(words), submitter: fc.constant(null), user: fc.constant(null) }),
	labels: fc.array(name, { maxLength: 3 }),
	assignees: fc.array(shortUser, { maxLength: 2 }),
});

const shortTicket = fc.record({ id, ref: name, tracker, title: name });
const comment = fc.record({ id, created: time, submitter: participant, text: name });
const kind = fc.constantFrom(
	'created',
	'comment',
	'status_change',
	'label_added',
	'user_mentioned',
	'ticket_mentioned',
	'sung',
);

export const ticketEventJson = fc.record({
	id,
	created: time,
	event_type: fc.array(kind, { minLength: 1, maxLength: 2 }),
	old_status: fc.option(status),
	old_resolution: fc.option(resolution),
	new_status: fc.option(status),
	new_resolution: fc.option(resolution),
	user: fc.option(participant),
	ticket: fc.option(shortTicket),
	comment: fc.option(comment),
	label: fc.oneof(fc.constant(null), name, fc.array(name, { maxLength: 2 })),
	by_user: fc.option(participant),
	from_ticket: fc.option(shortTicket),
});

const signer = fc.record({ name, email: name });
const hash = fc.constantFrom('a', 'b').map((digit) => digit.repeat(40));

export const commitJson = fc.record({
	id: hash,
	short_id: name,
	author: signer,
	committer: signer,
	timestamp: time,
	message: name,
	tree: hash,
	parents: fc.array(hash, { maxLength: 2 }),
	signature: fc.option(fc.record({ signature: name, data: name })),
});

const entry = fc.record({
	name,
	id: hash,
	type: fc.constantFrom('tree', 'blob', 'commit', 'socket'),
	mode: fc.constantFrom(33188, 33261, 40960, 57344, 16384),
});

export const treeJson = fc.record({ id: hash, short_id: name, entries: fc.array(entry, { maxLength: 4 }) });

const list = fc.record({ id, name, owner: shortUser });
const shortEmail = {
	id,
	created: time,
	subject: name,
	message_id: name,
	parent_id: fc.option(id),
	thread_id: fc.option(id),
	list,
	sender: fc.option(shortUser),
	patchset: fc.option(
		fc.record(
			{ id, subject: name, version: id, status: fc.constantFrom('proposed', 'applied', 'parked') },
			{ requiredKeys: ['id'] },
		),
	),
};

export const shortEmailJson = fc.record(shortEmail);
export const emailJson = fc.record({
	...shortEmail,
	is_patch: fc.boolean(),
	is_request_pull: fc.boolean(),
	replies: id,
	participants: id,
	envelope: name,
});

/** Damage of one spot of a JSON value. */
export interface Spoiling {
	/** The branch at each level, down to a leaf or the end. */
	readonly path: readonly number[];
	/** `undefined` removes the spot. */
	readonly value: unknown;
}

export const spoiling: fc.Arbitrary<Spoiling> = fc.record({
	path: fc.array(fc.nat(20), { minLength: 1, maxLength: 4 }),
	value: fc.oneof(
		fc.constant(undefined),
		fc.constant(null),
		fc.constantFrom<unknown>(
			0,
			-1,
			1.5,
			2 ** 60,
			'',
			'x',
			true,
			[],
			{},
			[1],
			['a', null],
			'T',
			'2026-13-45T99:00:00+00:00',
		),
	),
});

/** A copy with one changed spot. */
export function spoilt(value: unknown, { path, value: instead }: Spoiling): unknown {
	const [first, ...rest] = path;
	if (first === undefined || typeof value !== 'object' || value === null) {
		return instead;
	}
	if (Array.isArray(value)) {
		return value.length === 0
			? instead
			: value.map((item: unknown, place) =>
					place === first % value.length ? spoilt(item, { path: rest, value: instead }) : item,
				);
	}
	const fields = Object.entries(value);
	return Object.fromEntries(
		fields.flatMap(([key, field], place): [string, unknown][] => {
			if (place !== first % fields.length) {
				return [[key, field]];
			}
			const next = spoilt(field, { path: rest, value: instead });
			return next === undefined ? [] : [[key, next]];
		}),
	);
}
