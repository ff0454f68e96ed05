import assert from 'node:assert/strict';
import { asksForVisibility } from '../../src/forge/tracker.ts';
import { allItems, allPages, contractSuite, problemFrom, wanted } from '../support/contractForge.ts';

const lantern = { owner: '~alice', name: 'lantern' };

contractSuite('trackers', {}, ({ dialect, forge }) => {
	test('one’s own come in pages whose completeness is told as far as it is known', async () => {
		const pages = await allPages(forge().as('alice').trackers.trackers(undefined, wanted()));
		assert.deepEqual(
			pages.map(({ seen, completeness }) => [seen, completeness.kind]),
			[[4, dialect === 'field' ? 'complete' : 'unstated']],
		);
		const [tracker] = (await allItems(forge().as('alice').trackers.trackers(undefined, wanted()))).filter(
			({ name }) => name === 'lantern',
		);
		assert.ok(tracker);
		assert.deepEqual(tracker.owner, { canonicalName: '~alice', name: 'alice' });
		assert.ok(tracker.updatedMs >= tracker.createdMs);
		assert.equal(typeof tracker.id, dialect === 'field' ? 'number' : 'undefined');
		assert.deepEqual(tracker.defaultPermissions?.submitter, ['browse', 'comment', 'edit']);
	});

	test('others’ are listed and read in the explicit form, one’s own in the implied form', async () => {
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

	test('labels have their colours', async () => {
		const labels = await allItems(forge().as('bob').trackers.labels(lantern, wanted()));
		assert.ok(labels.length > 3);
		for (const { colors } of labels) {
			assert.match(colors.background, /^#[0-9a-f]{6}$/i);
			assert.match(colors.text, /^#[0-9a-f]{6}$/i);
		}
	});

	test('a tracker is made, described anew and removed', async () => {
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

	test('a tracker without description has none', async () => {
		const { trackers } = forge().as('bob');
		const made = await trackers.create({ name: 'silent' }, wanted());
		assert.equal(made.description, undefined);
		await trackers.remove({ owner: '~bob', name: 'silent' }, wanted());
	});

	test('a name that cannot be is refused with its field and without markup', async () => {
		const problem = await problemFrom(forge().as('alice').trackers.create({ name: '1 abc' }, wanted()));
		assert.ok(problem.kind === 'invalid');
		assert.equal(problem.errors[0]?.field, 'name');
		assert.doesNotMatch(JSON.stringify(problem), /[<>]/);
	});

	test('a server that insists on a visibility makes nothing, says so, and is told the one that was chosen', async () => {
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
		const made = await trackers.create({ name: 'later', visibility: 'UNLISTED' }, wanted());
		assert.equal(made.name, 'later');
		assert.deepEqual(
			(await sample.requests()).map(({ status }) => status),
			[400, 201],
		);
		await trackers.remove({ owner: '~alice', name: 'later' }, wanted());
	});

	test('others’ trackers cannot be described anew or removed', async () => {
		const { trackers } = forge().as('bob');
		assert.deepEqual(await problemFrom(trackers.update(lantern, 'mine', wanted())), { kind: 'notAllowed' });
		assert.deepEqual(await problemFrom(trackers.remove(lantern, wanted())), { kind: 'notAllowed' });
	});

	test('a tracker that is none is not found, and neither is anything in it', async () => {
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
