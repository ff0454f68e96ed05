import assert from 'node:assert/strict';
import { asksForVisibility } from 'sourcehut/port/tracker.ts';
import {
	agedProtocolSuite,
	allItems,
	allPages,
	changed,
	contractSuite,
	problemFrom,
	wanted,
} from '../support/contractForge.ts';

const lantern = { owner: '~alice', name: 'lantern' };

agedProtocolSuite('trackers', { inBoth: true }, ({ dialect, forge, testWith }) => {
	test('own trackers come in pages that state their completeness if known', async () => {
		const pages = await allPages(forge().as('alice').trackers.trackers(undefined, wanted()));
		assert.deepEqual(
			pages.map(({ seen, completeness }) => [seen, completeness.kind]),
			[[4, dialect === 'document' ? 'unstated' : 'complete']],
		);
		const [tracker] = (await allItems(forge().as('alice').trackers.trackers(undefined, wanted()))).filter(
			({ name }) => name === 'lantern',
		);
		assert.ok(tracker);
		assert.deepEqual(tracker.owner, { canonicalName: '~alice', name: 'alice' });
		assert.ok(tracker.updatedMs >= tracker.createdMs);
		assert.equal(typeof tracker.id, dialect === 'document' ? 'undefined' : 'number');
		if (dialect === 'graphql') {
			assert.deepEqual(tracker.defaultPermissions?.mine, ['browse', 'submit', 'comment', 'edit', 'triage']);
		} else {
			assert.deepEqual(tracker.defaultPermissions?.submitter, ['browse', 'comment', 'edit']);
		}
	});

	testWith(
		'trackers.labelMaking',
		'the owner creates, renames, recolours and deletes labels, and tickets lose a deleted label',
		async () => {
			const { trackers } = forge().as('alice');
			const { labelMaking } = trackers;
			const { labelMaking: carols } = forge().as('carol').trackers;
			assert.ok(labelMaking && carols);
			const colors = { background: '#1d76db', text: '#ffffff' };
			const label = await labelMaking.create(lantern, { name: 'made here', colors }, wanted());
			assert.deepEqual([label.name, label.colors], ['made here', colors]);
			const taken = await problemFrom(labelMaking.create(lantern, { name: 'Made Here', colors }, wanted()));
			assert.equal(taken.kind === 'invalid' && taken.errors[0]?.field, 'name');
			const { id } = await trackers.submit(lantern, { title: 'Labelled', description: '' }, wanted());
			const ref = { tracker: lantern, id };
			await trackers.updateTicket(ref, { labels: { add: ['made here'], remove: [] } }, wanted());
			const green = { background: '#0e8a16', text: '#ffffff' };
			const renamed = await labelMaking.change(lantern, 'made here', { name: 'renamed', colors: green }, wanted());
			assert.deepEqual([renamed.name, renamed.colors], ['renamed', green]);
			await labelMaking.change(lantern, 'renamed', { name: 'renamed', colors }, wanted());
			assert.deepEqual((await trackers.ticket(ref, wanted())).labels, ['renamed']);
			const refused = await problemFrom(carols.remove(lantern, 'renamed', wanted()));
			assert.equal(refused.kind, 'notAllowed');
			await labelMaking.remove(lantern, 'renamed', wanted());
			assert.deepEqual((await trackers.ticket(ref, wanted())).labels, []);
			assert.equal((await problemFrom(labelMaking.remove(lantern, 'renamed', wanted()))).kind, 'notFound');
		},
	);

	testWith(
		'trackers.subscriptions',
		'subscribing and unsubscribing are idempotent for trackers and tickets, and a submitter is subscribed',
		async () => {
			const { trackers } = forge().as('bob');
			const { subscriptions } = trackers;
			assert.ok(subscriptions);
			const { id } = await trackers.submit(lantern, { title: 'Told by mail', description: '' }, wanted());
			const ticket = { kind: 'ticket', ref: { tracker: lantern, id } } as const;
			assert.equal(await subscriptions.isSubscribed(ticket, wanted()), true);
			for (const to of [ticket, { kind: 'tracker', ref: lantern } as const]) {
				for (const isWanted of [true, true, false, false]) {
					await subscriptions.setSubscribed(to, isWanted, wanted());
					assert.equal(await subscriptions.isSubscribed(to, wanted()), isWanted, to.kind);
				}
			}
			const nothing = { kind: 'ticket', ref: { tracker: lantern, id: 99_999 } } as const;
			assert.equal((await problemFrom(subscriptions.isSubscribed(nothing, wanted()))).kind, 'notFound');
		},
	);

	test('labels have colours', async () => {
		const labels = await allItems(forge().as('bob').trackers.labels(lantern, wanted()));
		assert.ok(labels.length > 3);
		for (const { colors } of labels) {
			assert.match(colors.background, /^#[0-9a-f]{6}$/i);
			assert.match(colors.text, /^#[0-9a-f]{6}$/i);
		}
	});

	test('the owner creates, describes and deletes a tracker', async () => {
		const { trackers } = forge().as('alice');
		const made = await trackers.create({ name: 'made-here', description: 'First *words*' }, wanted());
		assert.deepEqual([made.name, made.description], ['made-here', 'First *words*']);
		const ref = { owner: '~alice', name: 'made-here' };
		const updated = await trackers.update(ref, 'Other words', wanted());
		assert.equal(updated?.description ?? 'Other words', 'Other words');
		assert.equal((await trackers.tracker(ref, wanted())).description, 'Other words');
		await trackers.remove(ref, wanted());
		assert.deepEqual(await problemFrom(trackers.tracker(ref, wanted())), { kind: 'notFound' });
	});

	test('a tracker created without a description has none', async () => {
		const { trackers } = forge().as('bob');
		const made = await trackers.create({ name: 'silent' }, wanted());
		assert.equal(made.description, undefined);
		await trackers.remove({ owner: '~bob', name: 'silent' }, wanted());
	});

	test('the server rejects an invalid name with its field and without markup', async () => {
		const problem = await problemFrom(forge().as('alice').trackers.create({ name: '1 abc' }, wanted()));
		assert.ok(problem.kind === 'invalid');
		assert.equal(problem.errors[0]?.field, 'name');
		assert.doesNotMatch(JSON.stringify(problem), /[<>]/);
	});

	test('a deleted name never matches a tracker with a similar name', async () => {
		const { trackers, webhooks } = forge().as('alice');
		const living = { owner: '~alice', name: 'axb' };
		const gone = { owner: '~alice', name: 'a_b' };
		await trackers.create({ name: 'axb', description: 'Mine' }, wanted());
		const { id } = await trackers.submit(living, { title: 'A ticket', description: '' }, wanted());
		const { events } = await changed(trackers.updateTicket({ tracker: living, id }, { comment: 'Words' }, wanted()));
		const said = events[0]?.comment;
		assert.ok(said);
		for (const work of [
			() => trackers.tracker(gone, wanted()),
			() => trackers.update(gone, 'Not mine', wanted()),
			() => trackers.remove(gone, wanted()),
			() => trackers.submit(gone, { title: 'Another ticket', description: '' }, wanted()),
			() => changed(trackers.updateTicket({ tracker: gone, id }, { comment: 'Other words' }, wanted())),
			() =>
				trackers.editComment?.({ tracker: gone, id }, said, 'Other words', wanted()) ??
				trackers.tracker(gone, wanted()),
			() => allItems(trackers.tickets(gone, wanted())),
			...[{ kind: 'tracker', ref: gone } as const, { kind: 'ticket', ref: { tracker: gone, id } } as const].map(
				(family) => () => {
					const { all, doubtful } = webhooks.offers(family).events;
					const events = all.filter((event) => !doubtful.includes(event));
					return webhooks.create(family, { url: 'https://desk.example/hook', events }, wanted());
				},
			),
		]) {
			assert.deepEqual(await problemFrom(work()), { kind: 'notFound' }, String(work));
		}
		assert.deepEqual(
			(await forge().sample.webhooks()).filter((each) => each.includes('axb')),
			[],
		);
		assert.equal((await trackers.tracker(living, wanted())).description, 'Mine');
		assert.equal((await allItems(trackers.tickets(living, wanted()))).length, 1);
		const timeline = await allItems(trackers.events({ tracker: living, id }, wanted()));
		assert.deepEqual(
			timeline.flatMap(({ comment }) => (comment ? [comment.text] : [])),
			['Words'],
		);
		await trackers.remove(living, wanted());
		assert.deepEqual(await problemFrom(trackers.tracker(living, wanted())), { kind: 'notFound' });
	});

	test('the client rejects a ticket of another tracker than requested', async () => {
		const { trackers } = forge().as('alice');
		const work = trackers.ticket({ tracker: { owner: '~alice', name: 'l_ntern' }, id: 1 }, wanted());
		const problem = await problemFrom(work);
		assert.equal(problem.kind, dialect === 'field' ? 'notUnderstood' : 'notFound');
	});

	test('the server rejects changes to other users’ trackers', async () => {
		const { trackers } = forge().as('bob');
		assert.deepEqual(await problemFrom(trackers.update(lantern, 'mine', wanted())), { kind: 'notAllowed' });
		assert.deepEqual(await problemFrom(trackers.remove(lantern, wanted())), { kind: 'notAllowed' });
	});

	test('the client reports a missing tracker and its contents as not found', async () => {
		const { trackers } = forge().as('alice');
		const nothing = { owner: '~alice', name: 'no-such' };
		for (const work of [
			() => trackers.tracker(nothing, wanted()),
			() => allItems(trackers.labels(nothing, wanted())),
			() => allItems(trackers.tickets(nothing, wanted())),
			() => trackers.submit(nothing, { title: 'A title', description: '' }, wanted()),
			() => trackers.ticket({ tracker: nothing, id: 1 }, wanted()),
			() => allItems(trackers.events({ tracker: nothing, id: 1 }, wanted())),
		]) {
			assert.deepEqual(await problemFrom(work()), { kind: 'notFound' });
		}
	});
});

/** These requests exist only in REST. */
contractSuite('trackers over REST', {}, ({ forge }) => {
	test('other users’ trackers use the explicit form, own trackers the implied form', async () => {
		const { sample } = forge();
		await sample.forgetRequests();
		const bob = forge().as('bob').trackers;
		const alice = forge().as('alice').trackers;
		assert.ok((await allItems(bob.trackers('~alice', wanted()))).length > 0);
		assert.deepEqual(await bob.tracker(lantern, wanted()), await alice.tracker(lantern, wanted()));
		assert.deepEqual(
			(await sample.requests()).map(({ path }) => path),
			['/api/user/~alice/trackers', '/api/user/~alice/trackers/lantern', '/api/trackers/lantern'],
		);
	});

	test('a server that requires a visibility creates no tracker, then accepts the chosen visibility', async () => {
		const { sample } = forge();
		await sample.forgetRequests();
		await sample.fault(
			{ area: 'todo', method: 'POST', path: '/api/trackers' },
			{
				kind: 'status',
				status: 400,
				headers: { 'Content-Type': 'application/json' },
				body: JSON.stringify({ errors: [{ field: 'visibility', reason: 'visibility is required' }] }),
			},
		);
		const { trackers } = forge().as('alice');
		const refusal = await trackers.create({ name: 'later' }, wanted()).catch((error: unknown) => error);
		assert.ok(asksForVisibility(refusal));
		const made = await trackers.create({ name: 'later', visibility: 'unlisted' }, wanted());
		assert.equal(made.name, 'later');
		assert.deepEqual(
			(await sample.requests()).map(({ status }) => status),
			[400, 201],
		);
		await trackers.remove({ owner: '~alice', name: 'later' }, wanted());
	});

	test('the client reads a tracker before a change, and before ticket changes if its name is ambiguous', async () => {
		const { sample } = forge();
		const { trackers } = forge().as('alice');
		const seen = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
			await sample.forgetRequests();
			await work();
			return (await sample.requests()).map(({ method }) => method);
		};
		for (const [name, look] of [
			['under_score', ['GET']],
			['plain', []],
		] as const) {
			await trackers.create({ name }, wanted());
			const ref = { owner: '~alice', name };
			const submit = (): Promise<unknown> => trackers.submit(ref, { title: 'A ticket', description: '' }, wanted());
			assert.deepEqual(await seen(submit), [...look, 'POST']);
			assert.deepEqual(await seen(submit), [...look, 'POST']);
			const change = (): Promise<unknown> =>
				changed(trackers.updateTicket({ tracker: ref, id: 1 }, { move: { kind: 'reopen' } }, wanted()));
			assert.deepEqual(await seen(change), [...look, 'PUT']);
			assert.deepEqual(await seen(() => trackers.update(ref, 'Words', wanted())), ['GET', 'PUT']);
			assert.deepEqual(await seen(() => trackers.remove(ref, wanted())), ['GET', 'DELETE']);
		}
	});
});
