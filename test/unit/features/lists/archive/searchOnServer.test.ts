import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { MailSubject } from '../../../../../src/features/lists/subjects/subjects.ts';
import { eventually } from '../../../../support/eventually.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeLists, listConnection } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { makeMail } from '../../../../support/makeMail.ts';
import { resetStub, stubbed, type StubbedBox } from '../../../../support/vscodeValues.ts';

const { archiveCommands } = await import('../../../../../src/features/lists/archive/searchArchive.ts');

const never = new AbortController().signal;
const devel = { owner: '~alice', name: 'devel' };
const row = { kind: 'list', connectionKey: 'sample-alice', ref: devel };
const hit = makeMail({ id: 12, subject: 'mm: fold', messageId: '<m12@a.example>' });

/** The search of an archive whose server finds this mail for one query only. */
function desk(hasHelp = true) {
	const asked: string[] = [];
	const bare = listConnection({
		...fakeLists().api,
		async *search(_, terms) {
			asked.push(terms);
			const items = terms === 'dfn:mm.c' ? [hit] : [];
			yield await Promise.resolve({ items, seen: items.length, completeness: { kind: 'complete' } });
		},
		searchPrefixes: () =>
			hasHelp
				? Promise.resolve([
						{ name: 's', text: 'match within Subject' },
						{ name: 'dfn', text: 'match filename from diff' },
					])
				: Promise.reject(new ForgeError({ kind: 'notFound' })),
	});
	const connection = { ...bare, instance: { ...bare.instance, archiveUrl: 'https://archive.example/' } };
	const opened: MailSubject[] = [];
	const parts = listsParts(fakeConnections(connection), fakeClock());
	const commands = archiveCommands(parts, async (subject) => void opened.push(subject));
	let seen = 0;
	return {
		asked,
		opened,
		run: async (): Promise<void> => commands['forge.lists.searchArchive']?.(row, never, []),
		nextBox: async (): Promise<StubbedBox> => {
			await eventually(async () => stubbed.boxes.length > seen, true);
			const box = stubbed.boxes[seen];
			seen += 1;
			assert.ok(box);
			return box;
		},
	};
}

suite('search in the words of an archive', () => {
	setup(() => resetStub());

	test('completes the prefixes of the site, searches once, and opens the thread of a hit', async () => {
		const { asked, opened, run, nextBox } = desk();
		const done = run();
		const box = await nextBox();
		box.type('df');
		assert.deepEqual(
			box.items.map(({ label, description }) => [label, description]),
			[
				['df', undefined],
				['dfn:', 'match filename from diff'],
			],
		);
		box.accept('dfn:');
		await eventually(async () => box.value, 'dfn:');
		assert.deepEqual(asked, []);
		stubbed.answers.push('mm: fold');
		box.type('dfn:mm.c');
		box.accept('dfn:mm.c');
		await done;
		assert.deepEqual(asked, ['dfn:mm.c']);
		assert.deepEqual(
			opened.map(({ id, messageId }) => [id, messageId]),
			[[12, '<m12@a.example>']],
		);
	});

	test('a search without a hit leads back to its text, and works without the help page', async () => {
		const { asked, opened, run, nextBox } = desk(false);
		const done = run();
		const box = await nextBox();
		box.type('nothing');
		stubbed.answers.push('No message matches', 'mm: fold');
		box.accept('nothing');
		const again = await nextBox();
		assert.equal(again.value, 'nothing');
		again.type('dfn:mm.c');
		again.accept('dfn:mm.c');
		await done;
		assert.deepEqual([asked, opened.length], [['nothing', 'dfn:mm.c'], 1]);
	});
});
