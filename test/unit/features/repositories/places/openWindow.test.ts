import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { uriAt } from '../../../../support/fakeGit.ts';
import { stubbedWorkspace } from '../../../../support/stubbedWorkspace.ts';
import {
	focusWindow,
	resetStub,
	stubbedTabs,
	TabInputText,
	TabInputTextDiff,
	Uri,
} from '../../../../support/vscodeValues.ts';

const { openWindow } = await import('../../../../../src/features/repositories/places/openRevisions.ts');
const { uriOfPlace } = await import('../../../../../src/features/repositories/subjects/place.ts');

const lantern = { owner: '~alice', name: 'lantern' };
const quill = { owner: '~alice', name: 'quill' };

/** URI of a file or folder of a repository at a revision. */
function entry(ref: typeof lantern, revision: string, path = ''): ReturnType<typeof uriOfPlace> {
	return uriOfPlace({ kind: 'entry', connectionKey: 'sample-alice', ref, at: { ref: revision, path } });
}

const tab = (label: string, input: unknown): void => void stubbedTabs.push({ label, input });

suite('open places of a window', () => {
	setup(() => resetStub());
	teardown(() => focusWindow(true));

	test('are those of its folders and tabs, each repository and revision once', () => {
		const window = openWindow();
		assert.deepEqual(window.places(), []);
		stubbedWorkspace.folders.push(
			{ uri: entry(lantern, 'next'), name: 'lantern', index: 0 },
			{ uri: uriAt('/code'), name: 'code', index: 1 },
		);
		tab('a.c', new TabInputText(entry(lantern, 'main', 'src/a.c')));
		tab('c.c', new TabInputText(entry(lantern, 'main', 'src/c.c')));
		tab('b.c', new TabInputText(entry(lantern, 'v1.0', 'src/b.c')));
		tab('diff', new TabInputTextDiff(entry(quill, 'main', 'a.md'), entry(quill, 'main', 'b.md')));
		tab('mail', new TabInputText(Uri.from({ scheme: 'forge-mail', authority: 'sample-alice', path: '/a' })));
		tab('settings', undefined);
		const open = window.places().map(({ connectionKey, ref, revision }) => [connectionKey, ref, revision]);
		assert.deepEqual(open, [
			['sample-alice', lantern, 'next'],
			['sample-alice', lantern, 'main'],
			['sample-alice', lantern, 'v1.0'],
			['sample-alice', quill, 'main'],
		]);
	});

	test('fire on changes of folders or tabs until the listener is disposed', () => {
		let heard = 0;
		const listening = openWindow().onDidChangePlaces(() => (heard += 1));
		stubbedWorkspace.listeners.forEach((listener) => listener(undefined));
		// One for folders and one for tabs.
		assert.equal(heard, 2);
		listening.dispose();
		assert.equal(stubbedWorkspace.listeners.size, 0);
	});

	test('count the user as present while the window has the focus', () => {
		const { presence } = openWindow();
		const seen: boolean[] = [];
		const listening = presence.onDidChange(() => seen.push(presence.isThere()));
		focusWindow(false);
		focusWindow(true);
		listening.dispose();
		focusWindow(false);
		assert.deepEqual(seen, [false, true]);
	});
});
