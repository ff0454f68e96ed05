import assert from 'node:assert/strict';
import type { Ticket } from '../../src/port/ticket.ts';
import { graphqlTrackers } from '../../src/graphql/todo/graphqlTrackers.ts';
import { allItems, allPages, problemFrom, wanted } from '../../../../test/support/contractForge.ts';
import { graphqlServer, type Answered, type AskedQuery } from '../../../../test/support/graphqlServer.ts';

const ref = { tracker: { owner: '~alice', name: 'demo' }, id: 7 };
const createdAt = '2026-11-21T11:42:35.037767Z';
const alice = { __typename: 'User', canonicalName: '~alice' };
const bob = { __typename: 'User', canonicalName: '~bob' };
const around = {
	id: 1,
	rid: '06gzvtjfpdy5x0dj8x5p5dv238',
	created: createdAt,
	updated: createdAt,
	name: 'demo',
	owner: alice,
	acl: { browse: true, submit: true, comment: true, edit: false, triage: true },
};

function wireTicket(change: object = {}): object {
	return {
		id: 7,
		ref: '~alice/demo#7',
		created: createdAt,
		updated: createdAt,
		subject: 'The wick smokes',
		body: null,
		status: 'IN_PROGRESS',
		resolution: 'UNRESOLVED',
		submitter: {
			__typename: 'EmailAddress',
			canonicalName: 'Bob <bob@mail.example>',
			mailbox: 'bob@mail.example',
			name: 'Bob',
		},
		labels: [{ id: 4, name: 'bug' }],
		assignees: [alice],
		tracker: around,
		...change,
	};
}

function wireEvent(id: number, changes: readonly object[], ticket: object = wireTicket()): object {
	return { id, created: createdAt, changes, ticket };
}

function inTracker(tracker: object | null): Answered {
	return { data: { user: { tracker } } };
}

function labelNumbersOf({ variables }: AskedQuery, ids: Readonly<Record<string, number>>): Answered {
	const names = Object.entries(variables).filter(([alias]) => /^l\d+$/.test(alias));
	return inTracker(
		Object.fromEntries(
			names.map(([alias, name]) => {
				const id = ids[String(name)];
				return [alias, id === undefined ? null : { id }];
			}),
		),
	);
}

/**
 * A tracker with one ticket. `answer` handles a request first. `refused`: a mutation of a batch that fails; the response
 * then says nothing about the others.
 */
function world(answer: (asked: AskedQuery) => Answered | undefined = () => undefined, refused?: string) {
	const events = [wireEvent(30, [{ eventType: 'CREATED', author: alice }])];
	let [labels, assignees, subject] = [[{ id: 4, name: 'bug' }], [alice], 'The wick smokes'];
	const ticketNow = (more: object = {}): object => wireTicket({ labels, assignees, subject, ...more });
	const happened = (id: number, change: object): object => {
		events.unshift(wireEvent(id, [change]));
		return { id };
	};
	const changes: Readonly<Record<string, () => object>> = {
		labelTicket() {
			labels = [...labels, { id: 5, name: 'help' }];
			return happened(32, { eventType: 'LABEL_ADDED', labeler: alice, label: { id: 5, name: 'help' } });
		},
		unlabelTicket() {
			labels = labels.filter(({ name }) => name !== 'bug');
			return happened(33, { eventType: 'LABEL_REMOVED', labeler: alice, label: { id: 4, name: 'bug' } });
		},
		assignUser() {
			assignees = [...assignees, bob];
			return happened(35, { eventType: 'ASSIGNED_USER', assigner: alice, assignee: bob });
		},
		unassignUser() {
			assignees = assignees.filter((each) => each !== alice);
			return happened(36, { eventType: 'UNASSIGNED_USER', assigner: alice, assignee: alice });
		},
	};
	const server = graphqlServer((asked) => {
		const own = answer(asked);
		if (own) {
			return own;
		}
		switch (asked.name) {
			case 'Timeline':
				return inTracker({ ticket: ticketNow({ events: { cursor: null, results: events } }) });
			case 'Ticket':
				return inTracker({ ticket: ticketNow() });
			case 'Tracker':
				return inTracker({ ...around, description: null, visibility: 'PUBLIC' });
			case 'Label':
				return inTracker({
					label: { id: 5, name: 'help', created: createdAt, foregroundColor: '#000000', backgroundColor: '#ffffff' },
				});
			case 'LabelNumbers':
				return labelNumbersOf(asked, { bug: 4, help: 5 });
			case 'SubmitComment':
				return {
					data: { submitComment: happened(31, { eventType: 'COMMENT', author: alice, text: 'Trimmed.' }) },
				};
			case 'ChangeParts': {
				const parts = Array.from(asked.query.matchAll(/(p\d+):(\w+)\(/g), ([, alias = '', mutation = '']) => ({
					alias,
					mutation,
				}));
				const done = parts.flatMap(({ alias, mutation }) =>
					mutation === refused ? [] : [[alias, changes[mutation]?.()] as const],
				);
				const failed = parts.filter(({ mutation }) => mutation === refused);
				const error = { message: 'Access denied', extensions: { code: 'ERR_ACCESS_DENIED' } };
				return failed.length === 0
					? { data: Object.fromEntries(done) }
					: { data: null, errors: failed.map(({ alias }) => ({ ...error, path: [alias] })) };
			}
			case 'UpdateTicket':
				subject = 'The wick is fine';
				return { data: { updateTicket: { id: 7 } } };
			case 'DeleteTicket':
				return { data: { deleteTicket: { id: 7 } } };
			case 'Person':
				return { data: { user: ['alice', 'bob'].includes(String(asked.variables['name'])) ? { id: 9 } : null } };
			case 'UpdateTicketStatus':
				return { data: { updateTicketStatus: { id: 34 } } };
			default:
				return { data: null, errors: [{ message: `${asked.name} was not expected` }] };
		}
	});
	return {
		...server,
		trackers: graphqlTrackers(server.caller),
		sent: () => server.asked.findLast(({ query }) => query.startsWith('mutation')),
	};
}

suite('tickets over GraphQL', () => {
	test('have their people, labels and our permissions', async () => {
		const { trackers } = world();
		const ticket = await trackers.ticket(ref, wanted());
		assert.deepEqual(ticket, {
			id: 7,
			ref: '~alice/demo#7',
			tracker: {
				owner: { canonicalName: '~alice', name: 'alice' },
				name: 'demo',
				createdMs: Date.parse(createdAt),
				updatedMs: Date.parse(createdAt),
			},
			title: 'The wick smokes',
			createdMs: Date.parse(createdAt),
			updatedMs: Date.parse(createdAt),
			submitter: { kind: 'email', address: 'bob@mail.example', name: 'Bob' },
			description: '',
			status: 'in_progress',
			resolution: 'unresolved',
			permissions: {
				mine: ['browse', 'submit', 'comment', 'triage'],
				anonymous: undefined,
				submitter: undefined,
				user: undefined,
			},
			labels: ['bug'],
			assignees: [{ canonicalName: '~alice', name: 'alice' }],
		} satisfies Ticket);
	});

	for (const id of [0, -1, 1.5, 2 ** 31, 99_999_999_999, Number.NaN]) {
		test(`number ${id} is never sent, because the server would crash`, async () => {
			const { trackers, asked } = world();
			const there = { ...ref, id };
			assert.deepEqual(await problemFrom(trackers.ticket(there, wanted())), { kind: 'notFound' });
			assert.deepEqual(await problemFrom(allItems(trackers.events(there, wanted()))), { kind: 'notFound' });
			assert.deepEqual(await problemFrom(trackers.updateTicket(there, { comment: 'Well.' }, wanted())), {
				kind: 'notFound',
			});
			assert.equal(asked.length, 0);
		});
	}

	test('a list ends at its last cursor, and a list of endless repeats stops as incomplete', async () => {
		const page = (cursor: string | null, id: number): Answered =>
			inTracker({ ...around, tickets: { cursor, results: [wireTicket({ id, ref: `~alice/demo#${id}` })] } });
		const sound = graphqlServer(({ variables }) => (variables['cursor'] === 'next' ? page(null, 6) : page('next', 7)));
		const pages = await allPages(graphqlTrackers(sound.caller).tickets(ref.tracker, wanted()));
		assert.deepEqual(
			pages.map(({ items, completeness }) => [items.map(({ id }) => id), completeness.kind]),
			[
				[[7], 'more'],
				[[6], 'complete'],
			],
		);
		let turn = 0;
		const endless = graphqlServer(() => page(`again ${(turn += 1)}`, 7));
		const some = await allPages(graphqlTrackers(endless.caller).tickets(ref.tracker, wanted()));
		assert.deepEqual(some.at(-1)?.completeness, { kind: 'more', total: undefined });
		assert.ok(endless.asked.length < 10);
	});

	test('each kind of event has its action, its people and its actor', async () => {
		const bob = { __typename: 'User', canonicalName: '~bob' };
		const other = { id: 2, ref: '~alice/demo#2', subject: 'Other', tracker: { ...around, acl: undefined } };
		const results = [
			wireEvent(9, [{ eventType: 'TICKET_MENTIONED', author: alice, ticket: other }]),
			wireEvent(8, [{ eventType: 'USER_MENTIONED', author: alice, mentioned: bob }]),
			wireEvent(7, [{ eventType: 'ASSIGNED_USER', assigner: alice, assignee: bob }]),
			wireEvent(6, [{ eventType: 'LABEL_ADDED', labeler: bob, label: { id: 4, name: 'bug' } }]),
			wireEvent(5, [
				{ eventType: 'COMMENT', author: bob, text: 'Done.' },
				{
					eventType: 'STATUS_CHANGE',
					editor: bob,
					oldStatus: 'REPORTED',
					newStatus: 'RESOLVED',
					oldResolution: 'UNRESOLVED',
					newResolution: 'FIXED',
				},
			]),
			wireEvent(4, [{ eventType: 'LATER_KIND' }]),
		];
		const { caller } = graphqlServer(() => inTracker({ ticket: wireTicket({ events: { cursor: null, results } }) }));
		const events = await allItems(graphqlTrackers(caller).events(ref, wanted()));
		const name = (who: (typeof events)[number]['user']): string | undefined =>
			who?.kind === 'user' ? who.name : undefined;
		assert.deepEqual(
			events.map(({ id, kinds, user, byUser, fromTicket, labels, comment, newStatus, newResolution, ticket }) => [
				id,
				kinds,
				name(user),
				name(byUser),
				fromTicket?.ref,
				labels,
				comment?.text,
				newStatus,
				newResolution,
				ticket?.ref,
			]),
			[
				[9, ['ticket_mentioned'], undefined, 'alice', '~alice/demo#2', [], undefined, undefined, undefined, ref7],
				[8, ['user_mentioned'], 'bob', 'alice', undefined, [], undefined, undefined, undefined, ref7],
				[7, ['assigned_user'], 'bob', 'alice', undefined, [], undefined, undefined, undefined, ref7],
				[6, ['label_added'], 'bob', undefined, undefined, ['bug'], undefined, undefined, undefined, ref7],
				[5, ['comment', 'status_change'], 'bob', undefined, undefined, [], 'Done.', 'resolved', 'fixed', ref7],
				[4, ['other:later_kind'], undefined, undefined, undefined, [], undefined, undefined, undefined, ref7],
			],
		);
	});
});

const ref7 = '~alice/demo#7';

suite('ticket changes over GraphQL', () => {
	test('comment and status go in one request between two reads of the timeline', async () => {
		const { trackers, sent, names } = world();
		const outcome = await trackers.updateTicket(
			ref,
			{ comment: 'Trimmed.', move: { kind: 'resolve', resolution: 'wont_fix' } },
			wanted(),
		);
		assert.equal(outcome.kind, 'answered');
		assert.deepEqual(
			outcome.kind === 'answered' && [outcome.before.newestEventId, outcome.events.map(({ id }) => id)],
			[30, [31]],
		);
		assert.deepEqual(names(), ['Timeline', 'SubmitComment', 'Timeline']);
		assert.deepEqual(sent()?.variables, {
			trackerId: 1,
			ticketId: 7,
			input: { text: 'Trimmed.', status: 'RESOLVED', resolution: 'WONT_FIX' },
		});
	});

	test('a status alone follows a read of the ticket, and reopening clears the resolution', async () => {
		const { trackers, sent, names } = world();
		const outcome = await trackers.updateTicket(ref, { move: { kind: 'reopen' } }, wanted());
		assert.deepEqual(names(), ['Ticket', 'UpdateTicketStatus', 'Timeline']);
		assert.deepEqual(sent()?.variables['input'], { status: 'REPORTED' });
		assert.deepEqual(outcome.kind === 'answered' && [outcome.before.ticket?.status, outcome.before.newestEventId], [
			'in_progress',
			undefined,
		]);
	});

	test('a status that the ticket already has is not sent', async () => {
		const { trackers, sent, names } = world();
		const move = { kind: 'set', status: 'in_progress' } as const;
		const outcome = await trackers.updateTicket(ref, { move }, wanted());
		assert.deepEqual([outcome.kind, names()], ['needless', ['Ticket']]);
		await trackers.updateTicket(ref, { comment: 'Well.', move }, wanted());
		assert.deepEqual(names(), ['Timeline', 'SubmitComment', 'Timeline']);
		assert.deepEqual(sent()?.variables['input'], { text: 'Well.' });
		const resolved = world(({ name }) =>
			name === 'Ticket' ? inTracker({ ticket: wireTicket({ status: 'RESOLVED', resolution: 'FIXED' }) }) : undefined,
		);
		const kinds: string[] = [];
		for (const resolution of ['fixed', 'wont_fix'] as const) {
			const each = await resolved.trackers.updateTicket(ref, { move: { kind: 'resolve', resolution } }, wanted());
			kinds.push(each.kind);
		}
		assert.deepEqual(kinds, ['needless', 'answered']);
	});

	test('labels go first, in one request without the ones already in place', async () => {
		const { trackers, asked, names } = world();
		const outcome = await trackers.updateTicket(
			ref,
			{ comment: 'Well.', labels: { add: ['help', 'bug'], remove: ['bug', 'never there'] } },
			wanted(),
		);
		assert.deepEqual(names(), ['Timeline', 'LabelNumbers', 'ChangeParts', 'SubmitComment', 'Timeline']);
		const [, , parts] = asked;
		assert.deepEqual(parts?.variables, { trackerId: 1, ticketId: 7, part0: 5, part1: 4 });
		assert.match(parts?.query ?? '', /\{p0:labelTicket\(.*\)\{id\} ?p1:unlabelTicket\(/);
		assert.deepEqual(outcome.kind === 'answered' && outcome.events.map(({ id }) => id), [31, 33, 32]);
	});

	test('a failed label lookup is a server error, not a missing label', async () => {
		const { trackers } = world((asked) =>
			/l0:label/.test(asked.query)
				? {
						data: { user: { tracker: { l0: null } } },
						errors: [{ message: 'internal system error', path: ['user', 'tracker', 'l0'] }],
					}
				: undefined,
		);
		const update = trackers.updateTicket(ref, { labels: { add: ['help'], remove: [] } }, wanted());
		assert.equal((await problemFrom(update)).kind, 'serverError');
	});

	test('thirty labels need one request', async () => {
		const add = Array.from({ length: 30 }, (_, at) => `l${at}`);
		const { trackers, names } = world((asked) =>
			asked.name === 'LabelNumbers'
				? labelNumbersOf(asked, Object.fromEntries(add.map((name, at) => [name, 100 + at])))
				: asked.name === 'ChangeParts'
					? { data: Object.fromEntries(add.map((_, at) => [`p${at}`, { id: Number(asked.variables[`part${at}`]) }])) }
					: undefined,
		);
		await trackers.updateTicket(ref, { labels: { add, remove: [] } }, wanted());
		assert.deepEqual(names(), ['Timeline', 'LabelNumbers', 'ChangeParts', 'Timeline']);
	});

	test('one request assigns people by number and leaves out those already assigned', async () => {
		const { trackers, names, sent } = world(({ name }) =>
			name === 'Person' ? { data: { user: { id: 9 } } } : undefined,
		);
		assert.ok(trackers.assign);
		const outcome = await trackers.assign(ref, { add: ['~bob', '~alice'], remove: ['~carol'] }, wanted());
		assert.deepEqual(names(), ['Timeline', 'Person', 'ChangeParts', 'Timeline']);
		assert.deepEqual(sent()?.variables, { trackerId: 1, ticketId: 7, part0: 9 });
		assert.deepEqual(
			outcome.kind === 'answered' && outcome.events.map(({ kinds, user, byUser }) => [kinds, user, byUser]),
			[
				[
					['assigned_user'],
					{ kind: 'user', canonicalName: '~bob', name: 'bob' },
					{ kind: 'user', canonicalName: '~alice', name: 'alice' },
				],
			],
		);
		await trackers.assign(ref, { add: [], remove: ['~bob', '~alice'] }, wanted());
		assert.deepEqual(names(), ['Timeline', 'Person', 'ChangeParts', 'Timeline'], 'a number is asked for once');
	});

	test('an unknown person causes an error with their name, and no assignment', async () => {
		const { trackers, names } = world();
		assert.ok(trackers.assign);
		assert.deepEqual(await problemFrom(trackers.assign(ref, { add: ['~bob', '~erin'], remove: [] }, wanted())), {
			kind: 'invalid',
			errors: [{ field: 'assignees', reason: 'personUnknown', own: 'personUnknown', about: '~erin' }],
		});
		assert.deepEqual(names(), ['Timeline', 'Person', 'Person']);
	});

	test('a partly rejected assignment reads its outcome from the ticket', async () => {
		const { trackers } = world(undefined, 'unassignUser');
		const outcome = await trackers.assign?.(ref, { add: ['~bob'], remove: ['~alice'] }, wanted());
		assert.deepEqual(outcome?.kind === 'partly' && outcome.done, { assignees: { add: ['~bob'], remove: [] } });
	});

	test('a write with a result succeeds despite errors elsewhere in the response', async () => {
		const { trackers } = world(({ name }) =>
			name === 'SubmitComment'
				? {
						data: { submitComment: { id: 31 } },
						errors: [{ message: 'internal system error', path: ['submitComment', 'acl'] }],
					}
				: undefined,
		);
		const outcome = await trackers.updateTicket(ref, { comment: 'Well.' }, wanted());
		assert.equal(outcome.kind, 'answered');
	});

	test('a write with a failed read afterwards counts as possibly done', async () => {
		let isAway = false;
		const { trackers } = world(({ name }) => {
			if (isAway) {
				return { status: 403, text: '{}' };
			}
			isAway = name === 'SubmitComment' || name === 'UpdateTicket';
			return undefined;
		});
		const outcome = await trackers.updateTicket(ref, { comment: 'Well.' }, wanted());
		assert.equal(outcome.kind, 'lost');
		isAway = false;
		await assert.rejects(async () => trackers.edit?.(ref, { title: 'The wick is fine' }, wanted()), { isDone: true });
	});

	test('title and description change independently, and an empty description clears it', async () => {
		const { trackers, names, sent } = world();
		assert.ok(trackers.edit);
		const ticket = await trackers.edit(ref, { title: 'The wick is fine' }, wanted());
		assert.equal(ticket.title, 'The wick is fine');
		assert.deepEqual(sent()?.variables, { trackerId: 1, ticketId: 7, input: { subject: 'The wick is fine' } });
		await trackers.edit(ref, { description: '' }, wanted());
		assert.deepEqual(sent()?.variables['input'], { body: null });
		const edit = ['Tracker', 'UpdateTicket', 'Ticket'];
		assert.deepEqual(names(), [...edit, ...edit]);
		assert.equal((await problemFrom(trackers.edit(ref, { title: '  x ' }, wanted()))).kind, 'invalid');
		assert.deepEqual(names(), []);
	});

	test('a deletion uses the number of the ticket in its tracker', async () => {
		const { trackers, asked } = world();
		await trackers.removeTicket?.(ref, wanted());
		assert.deepEqual([asked.at(-1)?.name, asked.at(-1)?.variables], ['DeleteTicket', { trackerId: 1, ticketId: 7 }]);
	});

	test('a deletion of a tracker or label uses the current number of its name, if it still exists', async () => {
		let [trackerId, labelId] = [1, 5];
		const { trackers, asked } = world((question) => {
			const { name, variables } = question;
			switch (name) {
				case 'Tracker':
					return inTracker(trackerId === 0 ? null : { ...around, id: trackerId, visibility: 'PUBLIC' });
				case 'LabelNumbers':
					return labelNumbersOf(question, labelId === 0 ? {} : { help: labelId });
				case 'Label':
					return inTracker({
						label:
							labelId === 0
								? null
								: {
										id: labelId,
										name: 'help',
										created: createdAt,
										foregroundColor: '#000000',
										backgroundColor: '#ffffff',
									},
					});
				case 'DeleteTracker':
					return { data: { deleteTracker: { id: variables['id'] } } };
				case 'DeleteLabel':
					return { data: { deleteLabel: { id: variables['id'] } } };
				default:
					return undefined;
			}
		});
		await trackers.tracker(ref.tracker, wanted());
		await trackers.labelMaking?.change(ref.tracker, 'help', { name: 'help' }, wanted()).catch(() => undefined);
		[trackerId, labelId] = [2, 6];
		await trackers.labelMaking?.remove(ref.tracker, 'help', wanted());
		assert.deepEqual([asked.at(-1)?.name, asked.at(-1)?.variables], ['DeleteLabel', { id: 6 }]);
		await trackers.tracker(ref.tracker, wanted());
		trackerId = 3;
		await trackers.remove(ref.tracker, wanted());
		assert.deepEqual([asked.at(-1)?.name, asked.at(-1)?.variables], ['DeleteTracker', { id: 3 }]);
		[trackerId, labelId] = [0, 0];
		assert.equal((await problemFrom(trackers.remove(ref.tracker, wanted()))).kind, 'notFound');
		assert.equal(
			(await problemFrom(trackers.labelMaking?.remove(ref.tracker, 'help', wanted()) ?? Promise.resolve())).kind,
			'notFound',
		);
		assert.ok(!asked.slice(-2).some(({ name }) => name.startsWith('Delete')));
	});

	test('ticket writes, new labels and subscriptions use the current tracker of that name', async () => {
		let trackerId = 1;
		const { trackers, asked } = world(({ name }) =>
			name === 'Tracker' ? inTracker({ ...around, id: trackerId, visibility: 'PUBLIC' }) : undefined,
		);
		const ticket = { title: 'The wick smokes', description: '' };
		const colors = { text: '#000000', background: '#ffffff' } as const;
		for (const work of [
			() => trackers.submit(ref.tracker, ticket, wanted()),
			() => trackers.edit?.(ref, ticket, wanted()),
			() => trackers.removeTicket?.(ref, wanted()),
			() => trackers.labelMaking?.create(ref.tracker, { name: 'new', colors }, wanted()),
			() => trackers.subscriptions?.setSubscribed({ kind: 'tracker', ref: ref.tracker }, true, wanted()),
			() => trackers.subscriptions?.setSubscribed({ kind: 'ticket', ref }, true, wanted()),
		]) {
			trackerId = 1;
			await trackers.tracker(ref.tracker, wanted());
			trackerId = 2;
			await Promise.resolve(work()).catch(() => undefined);
			const sent = asked.findLast(({ query }) => query.startsWith('mutation'));
			assert.equal(sent?.variables['trackerId'], 2, `${sent?.name}: ${String(work)}`);
		}
	});

	test('a ticket gets the label that has the name now, not a former one', async () => {
		let help = 5;
		const unlabelled = inTracker({ ticket: wireTicket({ labels: [], events: { cursor: null, results: [] } }) });
		const { trackers, asked } = world((question) => {
			const { name } = question;
			return name === 'LabelNumbers'
				? labelNumbersOf(question, { help })
				: name === 'Timeline'
					? unlabelled
					: undefined;
		});
		const sent: unknown[] = [];
		for (const id of [5, 6]) {
			help = id;
			await trackers.updateTicket(ref, { labels: { add: ['help'], remove: [] } }, wanted());
			sent.push(asked.findLast(({ name }) => name === 'ChangeParts')?.variables['part0']);
		}
		assert.deepEqual(sent, [5, 6]);
	});

	test('an update without effect is not sent', async () => {
		const { trackers, names } = world();
		const outcome = await trackers.updateTicket(ref, { labels: { add: ['bug'], remove: ['help'] } }, wanted());
		assert.deepEqual([outcome.kind, names()], ['needless', ['Timeline', 'LabelNumbers']]);
	});

	test('a partly rejected update reads its outcome from the ticket and sends nothing more', async () => {
		const { trackers, names } = world(undefined, 'unlabelTicket');
		const outcome = await trackers.updateTicket(
			ref,
			{ comment: 'Well.', labels: { add: ['help'], remove: ['bug'] } },
			wanted(),
		);
		assert.deepEqual(
			outcome.kind === 'partly' && [
				outcome.done.labels,
				outcome.error.problem.kind,
				outcome.before.ticket?.labels,
				outcome.now.labels,
			],
			[{ add: ['help'], remove: [] }, 'notAllowed', ['bug'], ['bug', 'help']],
		);
		assert.deepEqual(names(), ['Timeline', 'LabelNumbers', 'ChangeParts', 'Ticket']);
	});

	test('a rejected change that the ticket already shows counts as done', async () => {
		const { trackers } = world(({ name }) =>
			name === 'ChangeParts' ? { data: null, errors: [{ message: 'Already there', path: ['p0'] }] } : undefined,
		);
		const asked = { labels: { add: [], remove: ['bug'] } };
		const refusal = await problemFrom(trackers.updateTicket(ref, asked, wanted()));
		assert.equal(refusal.kind, 'invalid');
		let isChanged = false;
		const other = world(({ name }) => {
			if (name === 'ChangeParts') {
				isChanged = true;
				return { data: null, errors: [{ message: 'Already there', path: ['p0'] }] };
			}
			return name === 'Ticket' && isChanged ? inTracker({ ticket: wireTicket({ labels: [] }) }) : undefined;
		});
		assert.equal((await other.trackers.updateTicket(ref, asked, wanted())).kind, 'answered');
	});

	test('a rejected first change is thrown', async () => {
		const { trackers } = world(({ name }) =>
			name === 'SubmitComment'
				? { data: null, errors: [{ message: 'Access denied', path: ['submitComment'] }] }
				: undefined,
		);
		assert.deepEqual(await problemFrom(trackers.updateTicket(ref, { comment: 'Well.' }, wanted())), {
			kind: 'notAllowed',
		});
	});

	test('a lost response is reported as lost, without a second attempt', async () => {
		const { trackers, names } = world(({ name }) => (name === 'SubmitComment' ? { status: 502, text: '' } : undefined));
		const outcome = await trackers.updateTicket(ref, { comment: 'Well.' }, wanted());
		assert.deepEqual([outcome.kind, names()], ['lost', ['Timeline', 'SubmitComment']]);
	});

	test('an ambiguous rejection leads to a read of the tracker', async () => {
		const either = {
			data: null,
			errors: [{ message: 'the requested element is null which the schema does not allow', path: ['submitTicket'] }],
		};
		const ticket = { title: 'The wick smokes', description: '' };
		const { trackers, names } = world(({ name }) => (name === 'SubmitTicket' ? either : undefined));
		assert.deepEqual(await problemFrom(trackers.submit(ref.tracker, ticket, wanted())), { kind: 'notAllowed' });
		assert.deepEqual(names(), ['Tracker', 'SubmitTicket', 'Tracker']);
		let isGone = false;
		const gone = world(({ name }) => {
			isGone ||= name === 'SubmitTicket';
			return name === 'SubmitTicket' ? either : isGone ? inTracker(null) : undefined;
		});
		assert.deepEqual(await problemFrom(gone.trackers.submit(ref.tracker, ticket, wanted())), { kind: 'notFound' });
	});

	test('an ambiguous rejection of a ticket write leads to a read of the ticket', async () => {
		const either = (name: string): Answered => ({
			data: null,
			errors: [{ message: 'the requested element is null which the schema does not allow', path: [name] }],
		});
		const works: readonly ((trackers: ReturnType<typeof world>['trackers']) => Promise<unknown> | undefined)[] = [
			(trackers) => trackers.subscriptions?.setSubscribed({ kind: 'ticket', ref }, true, wanted()),
			(trackers) => trackers.edit?.(ref, { title: 'The wick is fine' }, wanted()),
			(trackers) => trackers.removeTicket?.(ref, wanted()),
			(trackers) => trackers.updateTicket(ref, { comment: 'Well.' }, wanted()),
		];
		for (const work of works) {
			let isSent = false;
			const refusing =
				(isThere: boolean) =>
				({ name, query }: AskedQuery): Answered | undefined => {
					if (query.startsWith('mutation')) {
						isSent = true;
						return either(name);
					}
					return name === 'Ticket' && isSent && !isThere ? inTracker({ ticket: null }) : undefined;
				};
			const told = async (isThere: boolean): Promise<string> =>
				(await problemFrom(work(world(refusing(isThere)).trackers) ?? Promise.resolve())).kind;
			assert.deepEqual([await told(false), await told(true)], ['notFound', 'notAllowed'], String(work));
		}
	});

	test('an error names the missing label or person, not the ticket', async () => {
		const gone = (message: string, path?: readonly string[]): ReturnType<typeof world> =>
			world(({ name }) =>
				name === 'ChangeParts' ? { data: null, errors: [{ message, ...(path ? { path } : {}) }] } : undefined,
			);
		const about = async ({ trackers }: ReturnType<typeof world>): Promise<unknown> => {
			const labels = { add: ['help'], remove: ['bug'] };
			const people = { add: ['~bob'], remove: ['~alice'] };
			const named = [
				trackers.updateTicket(ref, { labels }, wanted()),
				trackers.assign?.(ref, people, wanted()) ?? Promise.resolve(),
			].map(async (work) => {
				const problem = await problemFrom(work);
				return problem.kind === 'invalid'
					? problem.errors.map(({ own, about: name }) => `${own} ${name}`)
					: problem.kind;
			});
			return (await Promise.all(named)).flat();
		};
		assert.deepEqual(await about(gone('Label not found', ['p1'])), ['labelUnknown bug', 'notFound']);
		assert.deepEqual(await about(gone('No such label')), ['labelUnknown help, bug', 'notFound']);
		assert.deepEqual(await about(gone('User not found', ['p0'])), ['notFound', 'personUnknown ~bob']);
		assert.deepEqual(await about(gone('Ticket not found', ['p1'])), ['notFound', 'notFound']);

		const { trackers } = world();
		const unknown = trackers.updateTicket(ref, { labels: { add: ['nice'], remove: [] } }, wanted());
		assert.deepEqual(await problemFrom(unknown), {
			kind: 'invalid',
			errors: [{ field: 'labels', reason: 'labelUnknown', own: 'labelUnknown', about: 'nice' }],
		});
	});

	test('a write whose number lookup fails counts as unsent', async () => {
		const { trackers, asked } = world(({ name }) =>
			['Tracker', 'LabelNumbers', 'Person'].includes(name) ? { status: 500, text: '' } : undefined,
		);
		for (const work of [
			() => trackers.submit(ref.tracker, { title: 'The wick smokes', description: '' }, wanted()),
			() => trackers.update(ref.tracker, 'Words', wanted()),
			() => trackers.labelMaking?.remove(ref.tracker, 'help', wanted()) ?? Promise.resolve(),
			() => trackers.updateTicket(ref, { labels: { add: ['help'], remove: [] } }, wanted()),
			() => trackers.assign?.(ref, { add: ['~bob'], remove: [] }, wanted()) ?? Promise.resolve(),
		]) {
			await assert.rejects(work, { problem: { kind: 'serverError', status: 500 }, isUnsent: true }, String(work));
		}
		assert.ok(!asked.some(({ query }) => query.startsWith('mutation')));
	});

	test('a title that is too short is rejected locally, because the server accepts it', async () => {
		const { trackers, asked } = world();
		const problem = await problemFrom(trackers.submit(ref.tracker, { title: ' ab ', description: '' }, wanted()));
		assert.deepEqual(problem, {
			kind: 'invalid',
			errors: [{ field: 'title', reason: 'titleLength', own: 'titleLength' }],
		});
		assert.equal(asked.length, 0);
	});
});
