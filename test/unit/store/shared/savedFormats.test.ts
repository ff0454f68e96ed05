import assert from 'node:assert/strict';
import { keptMails } from '../../../../src/store/lists/keptMails.ts';
import { keptRepositories } from '../../../../src/store/repositories/keptRepositories.ts';
import { keptTimelines, trackersOf, trackersText } from '../../../../src/store/tickets/savedTickets.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { textsInMemory } from '../../../support/textsInMemory.ts';

/* Text as released versions wrote it. A change here loses the cache of every user. */

const atMs = 1_700_000_000_000;
const user = '{"canonicalName":"~alice","name":"alice"}';

function withText(name: string, value: string) {
	const texts = textsInMemory();
	texts.texts.set(name, `{"version":1,"name":"${name}","value":${value}}`);
	return texts;
}

suite('files of earlier versions', () => {
	test('show own lists', async () => {
		const list = `{"name":"devel","owner":${user},"id":3,"createdMs":1,"updatedMs":2}`;
		const texts = withText(
			'lists',
			`{"value":{"items":[${list}],"completeness":{"kind":"complete"}},"readAtMs":${atMs}}`,
		);
		const read = await keptMails(texts, fakeClock()).ownLists.read();
		assert.deepEqual([read?.readAtMs, read?.value.items.map(({ name, id }) => [name, id])], [atMs, [['devel', 3]]]);
	});

	test('show own repositories and a single one', async () => {
		const repository = `{"id":1,"createdMs":1,"name":"quill","owner":${user},"visibility":"public"}`;
		const listed = `{"value":{"items":[${repository}],"completeness":{"kind":"more","total":7}},"readAtMs":${atMs}}`;
		const { own } = keptRepositories(withText('repositories', listed), fakeClock());
		const read = await own.read();
		assert.deepEqual(read?.value.completeness, { kind: 'more', total: 7 });
		assert.equal(read?.value.items[0]?.name, 'quill');
		const single = withText('repository ~alice/quill', `{"value":${repository},"readAtMs":${atMs}}`);
		const { items } = keptRepositories(single, fakeClock());
		assert.equal((await items.read({ owner: '~alice', name: 'quill' }))?.readAtMs, atMs);
	});

	test('show the timeline of a ticket', async () => {
		const event = '{"id":9,"createdMs":1,"kinds":["created"],"labels":[]}';
		const value = `{"value":{"items":[${event}],"completeness":{"kind":"unstated"}},"readAtMs":${atMs}}`;
		const kept = keptTimelines(withText('timeline ~alice/alpha 1', value), fakeClock());
		const read = await kept.events({ tracker: { owner: '~alice', name: 'Alpha' }, id: 1 }).read();
		assert.deepEqual(
			read?.value.items.map(({ id }) => id),
			[9],
		);
	});

	test('show trackers with their labels', () => {
		const tracker = `{"owner":${user},"name":"alpha","createdMs":1,"updatedMs":2}`;
		const label = '{"name":"bug","colors":{"background":"#fff","text":"#000"}}';
		const labels = `[{"tracker":{"owner":"~alice","name":"alpha"},"labels":[${label}]}]`;
		const own = `{"items":[${tracker}],"completeness":{"kind":"complete"}}`;
		const text = `{"version":1,"own":${own},"others":[],"labels":${labels}}`;
		assert.equal(trackersText(trackersOf(text)), text);
	});
});
