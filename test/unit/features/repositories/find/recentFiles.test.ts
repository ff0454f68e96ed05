import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { RecentFiles } from '../../../../../src/features/repositories/find/findFeature.ts';
import { quill } from '../../../../support/fakeRepositories.ts';
import { keptInMemory } from '../../../../support/keptInMemory.ts';
import { stubbedWorkspace } from '../../../../support/stubbedWorkspace.ts';
import { resetStub, stubbedTabs, TabInputText } from '../../../../support/vscodeValues.ts';

const { recentFiles } = await import('../../../../../src/features/repositories/find/findFeature.ts');
const { uriOfPlace } = await import('../../../../../src/features/repositories/subjects/place.ts');

const connectionKey = 'alice.sample';

function bringToFront(path: string, { ref = quill, key = connectionKey, revision = 'main' } = {}): void {
	const uri = uriOfPlace({ kind: 'entry', connectionKey: key, ref, at: { ref: revision, path } });
	const tab = { label: path, isActive: true, isPreview: false, group: { viewColumn: 1 } };
	stubbedTabs.splice(0, stubbedTabs.length, { ...tab, input: new TabInputText(uri) });
	stubbedWorkspace.listeners.forEach((listener) => listener(undefined));
}

suite('recent files', () => {
	let recent: RecentFiles | undefined;
	setup(resetStub);
	teardown(() => recent?.dispose());

	test('lists the latest first, also in the next window, for each account', () => {
		const kept = new Map([
			[connectionKey, keptInMemory()],
			['bob.sample', keptInMemory()],
		]);
		const open = (): RecentFiles => recentFiles((key) => kept.get(key) ?? assert.fail(key));
		recent = open();
		bringToFront('a.c');
		bringToFront('b.c');
		bringToFront('a.c', { revision: 'feature/x' });
		bringToFront('c.c', { key: 'bob.sample' });
		assert.deepEqual(recent.of(connectionKey, quill), ['a.c', 'b.c']);
		recent.dispose();
		bringToFront('never.c');
		stubbedTabs.length = 0;
		recent = open();
		assert.deepEqual(recent.of(connectionKey, quill), ['a.c', 'b.c']);
		assert.deepEqual(recent.of('bob.sample', quill), ['c.c']);
		assert.deepEqual(recent.of(connectionKey, { owner: '~bob', name: 'quill' }), []);
	});

	test('writes nothing for a file that stays in front, and keeps the writes of another window', () => {
		const kept = keptInMemory();
		let writes = 0;
		const counted = { read: () => kept.read(), write: (text: string) => ((writes += 1), kept.write(text)) };
		recent = recentFiles(() => counted);
		bringToFront('a.c');
		bringToFront('a.c');
		assert.equal(writes, 1);
		void kept.write(JSON.stringify([['~alice/quill', ['other.c', 'a.c']]]));
		bringToFront('b.c');
		assert.deepEqual(recent.of(connectionKey, quill), ['b.c', 'other.c', 'a.c']);
	});

	test('stays small however many files open, and keeps the latest', () => {
		const kept = keptInMemory();
		recent = recentFiles(() => kept);
		for (let at = 0; at < 300; at += 1) {
			const ref = { owner: '~alice', name: `quill-${at % 120}` };
			bringToFront(`${'deep-'.repeat(100)}${at}.c`, { ref });
			assert.match(recent.of(connectionKey, ref)[0] ?? '', new RegExp(`-${at}\\.c$`));
			assert.ok(String(kept.read()).length <= 32 * 1024);
		}
		for (let at = 0; at < 80; at += 1) {
			bringToFront(`${at}.c`);
		}
		assert.equal(recent.of(connectionKey, quill).length, 50);
	});

	test('ignores malformed storage', () => {
		for (const text of ['nonsense', '{}', '[1, [], ["~alice/quill"], ["~alice/quill", [1]], [2, ["a"]]]', undefined]) {
			recent = recentFiles(() => keptInMemory(text));
			assert.deepEqual(recent.of(connectionKey, quill), []);
			recent.dispose();
		}
	});
});
