import assert from 'node:assert/strict';
import type { GenericSchema } from 'valibot';
import { listOf, one } from '../../src/rest/answers.ts';
import { commit, tree, reference, repository } from '../../src/rest/wire/repository.ts';
import { decoder, Misread } from '../../src/answers/decoding.ts';
import { email, shortEmail, mailingList, subscription, patchset } from '../../src/rest/wire/list.ts';
import { comment, ticket, ticketEvent, label, tracker } from '../../src/rest/wire/tracker.ts';
import { timestampMs } from '../../src/answers/timestamp.ts';
import { participant, shortUser, user } from '../../src/rest/wire/user.ts';
import { webhook, webhookDelivery } from '../../src/rest/wire/webhook.ts';

/** Path and reason of a schema error. */
function refusal(schema: GenericSchema, value: unknown): readonly [at: string, why: string] {
	try {
		decoder(schema)(value);
	} catch (error) {
		assert.ok(error instanceof Misread);
		return [error.at, error.why];
	}
	throw new Error('It was read');
}

function read<T>(schema: GenericSchema<unknown, T>, value: unknown): T {
	return decoder(schema)(value);
}

const created = '2026-11-20T07:04:51+00:00';
const createdMs = Date.UTC(2026, 10, 20, 7, 4, 51);
const alice = { canonical_name: '~alice', name: 'alice' };
const aliceRead = { canonicalName: '~alice', name: 'alice' };
const shortTracker = { owner: alice, created, updated: created, name: 'alpha' };
const shortTrackerRead = { owner: aliceRead, name: 'alpha', createdMs, updatedMs: createdMs };

const ticketSample = {
	id: 3,
	ref: '~alice/alpha#3',
	tracker: { id: 1, ...shortTracker },
	title: 'abc',
	created,
	updated: created,
	submitter: { type: 'user', ...alice },
	description: 'Plain *markdown*',
	status: 'reported',
	resolution: 'unresolved',
	permissions: { anonymous: null, submitter: null, user: ['browse', 'dance'] },
	labels: ['bug'],
	assignees: [alice],
};

suite('timestamp decoder', () => {
	test('reads every format of real servers', () => {
		const forms: readonly (readonly [string, number])[] = [
			[created, createdMs],
			['2022-04-08T11:12:36.123456Z', Date.UTC(2022, 3, 8, 11, 12, 36, 123)],
			['2020-03-01T10:01:00+05:30', Date.UTC(2020, 2, 1, 4, 31)],
			['2026-11-20T07:04:51', createdMs],
			['2026-11-20T07:04:51Z', createdMs],
			['2024-02-29T23:59:59+00:00', Date.UTC(2024, 1, 29, 23, 59, 59)],
		];
		for (const [text, ms] of forms) {
			assert.equal(timestampMs(text), ms, text);
		}
	});

	test('agrees with the calendar on leap years and ends of months', () => {
		for (let year = 1000; year <= 9999; year += 1) {
			for (const [month, day] of [
				[1, 1],
				[1, 31],
				[2, 28],
				[2, 29],
				[2, 31],
				[3, 1],
				[12, 31],
			] as const) {
				const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}T13:59:07+00:00`;
				const ms = Date.UTC(year, month - 1, day, 13, 59, 7);
				assert.equal(timestampMs(text), new Date(ms).getUTCDate() === day ? ms : Number.NaN, text);
			}
		}
	});

	test('rejects other texts', () => {
		for (const text of [
			'',
			'yesterday',
			'2026',
			'2026-13-01T00:00:00+00:00',
			'2026-02-31T00:00:00Z',
			'2026x11-20T07:04:51+00:00',
			'12',
		]) {
			assert.ok(Number.isNaN(timestampMs(text)), text);
		}
	});
});

suite('user decoder', () => {
	test('reads the observed fields', () => {
		assert.deepEqual(read(user, { ...alice, email: 'a@forge.test', url: null, location: 'Zürich', bio: null }), {
			...aliceRead,
			email: 'a@forge.test',
			url: undefined,
			location: 'Zürich',
			bio: undefined,
		});
	});

	test('reads a user from either the canonical or the short name', () => {
		assert.deepEqual(read(shortUser, { canonicalName: '~alice' }), aliceRead);
		assert.deepEqual(read(shortUser, { name: 'alice' }), aliceRead);
		assert.deepEqual(refusal(shortUser, { mail: 'x' }), ['.canonical_name', 'expected string, found undefined']);
	});

	test('reads participants with an account, an email address or an external origin', () => {
		assert.deepEqual(read(participant, alice), { kind: 'user', ...aliceRead });
		assert.deepEqual(read(participant, { type: 'user', ...alice }), { kind: 'user', ...aliceRead });
		assert.deepEqual(read(participant, { type: 'email', address: 'a@b.c', name: null }), {
			kind: 'email',
			address: 'a@b.c',
			name: undefined,
		});
		assert.deepEqual(read(participant, { type: 'external', external_id: 'hub:ada', external_url: 'https://hub/ada' }), {
			kind: 'external',
			externalId: 'hub:ada',
			externalUrl: 'https://hub/ada',
		});
		for (const type of ['email', 'external']) {
			// Someone without an account may use the name of an account.
			assert.equal(refusal(participant, { type, name: 'alice' })[0], '');
		}
	});
});

suite('tracker decoder', () => {
	test('reads the documented, observed and later formats', () => {
		const base = { ...shortTrackerRead, id: undefined, description: undefined, defaultPermissions: undefined };
		const byKind = { anonymous: ['browse'], submitter: [], user: ['browse', 'submit'] };
		assert.deepEqual(read(tracker, { ...shortTracker, description: '*x*', default_permissions: byKind }), {
			...base,
			description: '*x*',
			defaultPermissions: byKind,
			visibility: undefined,
		});
		assert.deepEqual(read(tracker, { id: 1, ...shortTracker, description: null, more: { of: 'it' } }), {
			...base,
			id: 1,
			visibility: undefined,
			extra: [{ name: 'more', json: '{"of":"it"}' }],
		});
		const access = ['browse', 'submit'];
		assert.deepEqual(read(tracker, { ...shortTracker, default_access: access, visibility: 'PUBLIC' }), {
			...base,
			defaultPermissions: { anonymous: access, submitter: access, user: access },
			visibility: 'PUBLIC',
		});
	});

	test('reads labels without a number', () => {
		const colors = { background: '#cc0000', text: '#FFFFFF' };
		assert.deepEqual(read(label, { name: 'bug', colors, created, tracker: shortTracker }), {
			name: 'bug',
			colors,
			createdMs,
		});
		assert.equal(read(label, { name: 'bug', colors }).createdMs, undefined);
	});
});

suite('ticket decoder', () => {
	test('reads every field and keeps unknown words', () => {
		assert.deepEqual(read(ticket, ticketSample), {
			id: 3,
			ref: '~alice/alpha#3',
			tracker: shortTrackerRead,
			title: 'abc',
			createdMs,
			updatedMs: createdMs,
			submitter: { kind: 'user', ...aliceRead },
			description: 'Plain *markdown*',
			status: 'reported',
			resolution: 'unresolved',
			permissions: { anonymous: undefined, submitter: undefined, user: ['browse', 'other:dance'] },
			labels: ['bug'],
			assignees: [aliceRead],
		});
		assert.equal(read(ticket, { ...ticketSample, status: 'dreamt' }).status, 'other:dreamt');
	});

	test('allows tickets without permissions, as later servers send them', () => {
		const { permissions: _gone, ...later } = ticketSample;
		assert.equal(read(ticket, { ...later, created: '2022-04-08T11:12:36.123456Z' }).permissions, undefined);
	});

	test('names the path of a missing field', () => {
		const spots: readonly (readonly [unknown, string])[] = [
			[{ ...ticketSample, id: '3' }, '.id'],
			[{ ...ticketSample, id: 0 }, '.id'],
			[{ ...ticketSample, id: -1 }, '.id'],
			[{ ...ticketSample, title: null }, '.title'],
			[{ ...ticketSample, created: 'today' }, '.created'],
			[{ ...ticketSample, tracker: { ...shortTracker, owner: null } }, '.tracker.owner'],
			[{ ...ticketSample, tracker: { ...shortTracker, owner: {} } }, '.tracker.owner.canonical_name'],
			[{ ...ticketSample, labels: ['bug', 3] }, '.labels[1]'],
			[{ ...ticketSample, assignees: [alice, {}] }, '.assignees[1].canonical_name'],
			[{ ...ticketSample, status: undefined }, '.status'],
			[[], '.id'],
			[null, ''],
			['<html>', ''],
		];
		for (const [value, at] of spots) {
			assert.equal(refusal(ticket, value)[0], at);
		}
	});

	test('names the path within a page, but never the value', () => {
		const reader = listOf(ticket);
		const page = { next: null, results: [ticketSample, { ...ticketSample, title: ['secret'] }], total: 2 };
		assert.throws(
			() => reader.read(jsonAnswer(page)),
			(error) => error instanceof Misread && error.at === '.results[1].title' && !/secret/.test(error.message),
		);
		assert.throws(
			() => reader.read(jsonAnswer([{ ...ticketSample, ref: 1 }])),
			(error) => error instanceof Misread && error.at === '[0].ref',
		);
		assert.throws(
			() => reader.read(jsonAnswer({ tickets: [] })),
			(error) => error instanceof Misread && error.at === '.results',
		);
	});

	const event = {
		id: 57,
		created,
		event_type: ['comment', 'status_change'],
		old_status: null,
		old_resolution: null,
		new_status: 'resolved',
		new_resolution: 'implemented',
		user: { type: 'user', ...alice },
		ticket: { id: 3, ref: '~alice/alpha#3', tracker: { id: 1, ...shortTracker }, title: 'abc' },
		comment: { id: 6, created, submitter: { type: 'user', ...alice }, text: 'hi' },
		label: null,
		by_user: null,
		from_ticket: null,
	};

	test('reads null as reported and unresolved in a status change', () => {
		const first = read(ticketEvent, event);
		assert.deepEqual(
			[first.oldStatus, first.oldResolution, first.newStatus, first.newResolution],
			['reported', 'unresolved', 'resolved', 'implemented'],
		);
		const reopened = read(ticketEvent, { ...event, old_status: 'resolved', old_resolution: 'fixed', new_status: null });
		assert.equal(reopened.newStatus, 'reported');
		const said = read(ticketEvent, { ...event, event_type: ['comment'], new_status: null, new_resolution: null });
		assert.deepEqual([said.oldStatus, said.newStatus, said.newResolution], [undefined, undefined, undefined]);
	});

	test('reads events with one label, several or none, and with unknown kinds', () => {
		assert.deepEqual(read(ticketEvent, { ...event, label: 'bug' }).labels, ['bug']);
		assert.deepEqual(read(ticketEvent, { ...event, label: ['bug', 'ui'] }).labels, ['bug', 'ui']);
		assert.deepEqual(read(ticketEvent, event).labels, []);
		assert.deepEqual(read(ticketEvent, { ...event, event_type: ['sung'] }).kinds, ['other:sung']);
		assert.equal(
			read(ticketEvent, { ...event, ticket: { ...event.ticket, title: undefined } }).ticket?.title,
			undefined,
		);
	});

	test('does not attribute the comment of a mention to the mentioned ticket', () => {
		for (const kind of ['ticket_mentioned', 'user_mentioned']) {
			assert.equal(read(ticketEvent, { ...event, event_type: [kind] }).comment, undefined, kind);
			assert.equal(read(ticketEvent, { ...event, event_type: ['comment', kind] }).comment?.text, 'hi', kind);
		}
		assert.equal(read(ticketEvent, { ...event, event_type: ['sung'] }).comment?.text, 'hi');
	});

	test('rejects events with ticket numbers below 1', () => {
		for (const id of [0, -1]) {
			assert.equal(refusal(ticketEvent, { ...event, ticket: { ...event.ticket, id } })[0], '.ticket.id');
			assert.equal(refusal(ticketEvent, { ...event, from_ticket: { ...event.ticket, id } })[0], '.from_ticket.id');
		}
	});

	test('reads comments in long and short form', () => {
		assert.deepEqual(read(comment, { ...event.comment, ticket: event.ticket }), read(comment, event.comment));
	});
});

const shortList = { id: 1, name: 'devel', owner: alice };
const shortMail = {
	id: 9,
	created,
	subject: '[PATCH proj 1/3] Add a module',
	message_id: '<a@forge.test>',
	parent_id: 8,
	thread_id: 8,
	list: shortList,
	sender: null,
};
const mail = {
	...shortMail,
	is_patch: true,
	is_request_pull: false,
	replies: 0,
	participants: 1,
	envelope: 'From nobody\r\n',
};

suite('list decoder', () => {
	test('reads lists with and without number and permissions', () => {
		const wire = { name: 'devel', owner: alice, created, updated: created, description: null };
		assert.deepEqual(read(mailingList, wire), {
			id: undefined,
			name: 'devel',
			owner: aliceRead,
			createdMs,
			updatedMs: createdMs,
			description: undefined,
			permissions: undefined,
		});
		const permissions = { nonsubscriber: ['browse'], subscriber: ['normal', 'fly'], account: [] };
		assert.deepEqual(read(mailingList, { ...wire, id: 1, permissions }).permissions, {
			nonsubscriber: ['browse'],
			subscriber: ['normal', 'other:fly'],
			account: [],
		});
	});

	test('keeps missing permissions unknown instead of empty', () => {
		const wire = { name: 'devel', owner: alice, created, updated: created, description: null };
		const permissionsOf = (permissions: unknown): unknown => read(mailingList, { ...wire, permissions }).permissions;
		for (const nothing of [null, [], {}, { nonsubscriber: null, subscriber: null, account: null }]) {
			assert.equal(permissionsOf(nothing), undefined, JSON.stringify(nothing));
		}
		assert.deepEqual(permissionsOf({ nonsubscriber: [], subscriber: ['browse'], account: null }), {
			nonsubscriber: [],
			subscriber: ['browse'],
			account: undefined,
		});
	});

	test('reads subscriptions with their list', () => {
		assert.deepEqual(read(subscription, { id: 4, created, list: shortList }), {
			id: 4,
			createdMs,
			list: { name: 'devel', owner: aliceRead },
		});
	});
});

suite('message decoder', () => {
	test('reads both forms, with the patchset if the server sends it', () => {
		const shortRead = {
			id: 9,
			createdMs,
			subject: '[PATCH proj 1/3] Add a module',
			messageId: '<a@forge.test>',
			parentId: 8,
			threadId: 8,
			list: { name: 'devel', owner: aliceRead },
			sender: undefined,
			patchsetId: undefined,
		};
		assert.deepEqual(read(shortEmail, shortMail), shortRead);
		assert.deepEqual(read(shortEmail, mail), shortRead);
		const rest = { isPatch: true, isRequestPull: false, replies: 0, participants: 1, envelope: 'From nobody\r\n' };
		assert.deepEqual(read(email, mail), { ...shortRead, ...rest });
		const bare = { id: 1, subject: 'x' };
		const told = { ...bare, version: 2, status: 'needs_revision' };
		const patchset = { version: 2, status: 'needs_revision' };
		assert.deepEqual(read(shortEmail, { ...shortMail, patchset: bare }), { ...shortRead, patchsetId: 1 });
		assert.deepEqual(read(shortEmail, { ...shortMail, patchset: told }), { ...shortRead, patchsetId: 1, patchset });
		assert.deepEqual(read(email, { ...mail, patchset: told }), { ...shortRead, patchsetId: 1, patchset, ...rest });
	});

	test('finds no thread id in a first message, whether null or its own id', () => {
		assert.equal(read(shortEmail, { ...shortMail, parent_id: null, thread_id: null }).threadId, undefined);
		assert.equal(read(shortEmail, { ...shortMail, parent_id: null, thread_id: 9 }).threadId, undefined);
	});

	test('rejects a message without its envelope', () => {
		assert.deepEqual(refusal(email, shortMail)[0], '.is_patch');
		assert.deepEqual(refusal(email, { ...mail, envelope: null }), ['.envelope', 'expected string, found null']);
	});
});

suite('patchset decoder', () => {
	const wire = {
		id: 1,
		created,
		updated: created,
		subject: 'Improve the modules',
		prefix: 'proj',
		version: 1,
		status: 'proposed',
	};

	test('reads the observed format, with submitter and Message-ID', () => {
		const observed = { ...wire, submitter: 'Bob <bob@forge.test>', reply_to: null, message_id: '<b@forge.test>' };
		const found = read(patchset, observed);
		assert.deepEqual(
			[found.list, found.coverLetter, found.supersededById, found.submitter, found.replyTo, found.messageId],
			[undefined, undefined, undefined, 'Bob <bob@forge.test>', undefined, '<b@forge.test>'],
		);
	});

	test('reads the documented format, with list, cover letter and successor', () => {
		const documented = { ...wire, list: shortList, cover_letter: shortMail, superseded_by: { ...wire, id: 2 } };
		const found = read(patchset, documented);
		assert.deepEqual(
			[found.list?.name, found.coverLetter?.id, found.supersededById, found.submitter],
			['devel', 9, 2, undefined],
		);
		assert.equal(read(patchset, { ...documented, status: 'forgotten' }).status, 'other:forgotten');
	});
});

suite('repository decoder', () => {
	const wire = { id: 1, created, name: 'proj', description: null, visibility: 'public' };

	test('reads the documented, observed and later formats', () => {
		const base = { id: 1, createdMs, name: 'proj', description: undefined, visibility: 'public' };
		assert.deepEqual(read(repository, { ...wire, subject: 's' }), {
			...base,
			updatedMs: undefined,
			owner: undefined,
			subject: 's',
		});
		assert.deepEqual(read(repository, { ...wire, updated: created, owner: alice }), {
			...base,
			updatedMs: createdMs,
			owner: aliceRead,
			subject: undefined,
		});
		const later = { ...wire, updated: created, owner: { canonicalName: '~alice' }, visibility: 'UNLISTED' };
		assert.deepEqual(read(repository, later).owner, aliceRead);
		assert.equal(read(repository, later).visibility, 'unlisted');
		assert.equal(read(repository, { ...wire, visibility: 'secret' }).visibility, 'other:secret');
	});

	test('reads references with and without artifacts', () => {
		const wireReference = { name: 'refs/heads/main', target: 'a'.repeat(40) };
		assert.deepEqual(read(reference, { ...wireReference, artifacts: [] }), wireReference);
		const wireArtifact = {
			filename: 'a.tar.gz',
			size: 12,
			url: 'https://forge.test/a',
			checksum: 'sha256:00',
			created,
		};
		const { artifacts } = read(reference, { ...wireReference, artifacts: [wireArtifact] });
		assert.deepEqual(artifacts, [
			{
				filename: 'a.tar.gz',
				createdMs: timestampMs(created),
				sizeBytes: 12,
				checksum: 'sha256:00',
				url: 'https://forge.test/a',
			},
		]);
		for (const size of [-1, 0.5, 2 ** 60, '12', null]) {
			const [at] = refusal(reference, { ...wireReference, artifacts: [{ ...wireArtifact, size }] });
			assert.equal(at, '.artifacts[0].size');
		}
	});

	test('reads commits with and without a signature, and trees with submodules', () => {
		const wireCommit = {
			id: 'a'.repeat(40),
			short_id: 'aaaaaaa',
			author: { name: 'Alice Ö', email: 'a@forge.test' },
			committer: { name: 'Bot', email: 'b@forge.test' },
			timestamp: created,
			message: 'Line\n',
			tree: 'b'.repeat(40),
			parents: [],
			signature: null,
		};
		assert.equal(read(commit, wireCommit).signature, undefined);
		assert.deepEqual(read(commit, { ...wireCommit, signature: { signature: 'LS0=', data: 'dHJl' } }).signature, {
			signature: 'LS0=',
			data: 'dHJl',
		});
		assert.equal(refusal(commit, { ...wireCommit, author: { name: 'x' } })[0], '.author.email');
		const entries = [{ name: 'lib', id: 'c'.repeat(40), type: 'commit', mode: 57344 }];
		assert.deepEqual(read(tree, { id: 'd', short_id: 'd', entries }).entries, entries);
		assert.equal(
			refusal(tree, { id: 'd', short_id: 'd', entries: [{ ...entries[0], mode: '1' }] })[0],
			'.entries[0].mode',
		);
	});
});

suite('webhook decoder', () => {
	test('reads observed webhooks and deliveries', () => {
		const wire = { id: 1, created, url: 'http://127.0.0.1:1/x', events: ['event:create', 'moon:rise'] };
		assert.deepEqual(read(webhook, wire), { id: 1, createdMs, url: wire.url, events: wire.events });
		const delivery = {
			id: 'b2c7',
			created,
			event: 'event:create',
			url: wire.url,
			payload: '{}',
			payload_headers: 'X: y',
			response: null,
			response_status: -2,
			response_headers: null,
		};
		assert.deepEqual(read(webhookDelivery, delivery), {
			id: 'b2c7',
			createdMs,
			event: 'event:create',
			payload: '{}',
			responseStatus: -2,
			response: undefined,
		});
	});
});

suite('page decoder', () => {
	const colors = { background: '#cc0000', text: '#FFFFFF' };
	const items = [{ name: 'bug', colors }];
	const { read: readPage } = listOf(label);

	test('reads arrays and envelopes', () => {
		const itemsRead = [{ name: 'bug', colors, createdMs: undefined }];
		const bare = readPage(jsonAnswer(items));
		assert.deepEqual(bare.items, itemsRead);
		assert.deepEqual([bare.next, bare.total, bare.isEnvelope], [undefined, undefined, false]);
		const enveloped = readPage(jsonAnswer({ next: '15', results: items, total: 65, results_per_page: 50 }));
		assert.deepEqual(enveloped.items, itemsRead);
		assert.deepEqual([enveloped.next, enveloped.total, enveloped.isEnvelope], ['15', 65, true]);
	});

	test('accepts a numeric cursor and no total', () => {
		const page = readPage(jsonAnswer({ next: 17, results: [], total: -1, results_per_page: 50 }));
		assert.deepEqual([page.next, page.total], ['17', undefined]);
	});

	test('skips a byte order mark', () => {
		const body = new TextEncoder().encode(`\ufeff${JSON.stringify(items)}`);
		assert.equal(readPage({ ...jsonAnswer(null), body }).items.length, 1);
	});

	test('treats a field named __proto__ as an ordinary field', () => {
		const { prototype } = Object;
		const wire: unknown = JSON.parse(
			`{"__proto__": {"polluted": 1}, "name": "__proto__", "colors": ${JSON.stringify(colors)}}`,
		);
		const found = one(label).read(jsonAnswer(wire));
		assert.equal(found.name, '__proto__');
		assert.equal(Reflect.get(found, 'polluted'), undefined);
		assert.equal(Reflect.get(prototype, 'polluted'), undefined);
	});
});

function jsonAnswer(value: unknown) {
	return {
		status: 200,
		contentType: 'application/json',
		location: undefined,
		retryAfterMs: undefined,
		body: new TextEncoder().encode(JSON.stringify(value)),
	};
}
