import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { InboxAge } from '../../../../src/features/inbox/inboxAge.ts';
import { fake } from '../../../support/fake.ts';
import { inboxWorld } from './support/inboxWorld.ts';
import { makeEntry } from '../../../support/makeInboxEntry.ts';
import { standFor } from '../../../support/standFor.ts';
import { stubbedWorkspace } from '../../../support/stubbedWorkspace.ts';
import { resetStub, stubbed, Uri } from '../../../support/vscodeValues.ts';

const { inboxAge } = await import('../../../../src/features/inbox/inboxAge.ts');
const { inboxCounts } = await import('../../../../src/features/inbox/inboxCounts.ts');
const { inboxSettings } = await import('../../../../src/features/inbox/inboxSettings.ts');
const { workspace } = await import('../../../support/vscodeValues.ts');

/** Has a fixed detail. */
const age = fake<InboxAge>({ details: () => ['As of noon'] });

function dotOf(path: string): string | undefined {
	const provider = standFor<vscode.FileDecorationProvider>(stubbed.decorations[0]);
	const uri = Uri.from({ scheme: 'forge-inbox', authority: 'sample-alice', path });
	const decoration = provider.provideFileDecoration(standFor<vscode.Uri>(uri), standFor({}));
	return decoration === undefined || decoration === null
		? undefined
		: standFor<vscode.FileDecoration>(decoration).badge;
}

suite('unread count', () => {
	setup(() => resetStub());

	test('counts the entries of all accounts on the icon and in the status bar, and disappears at 0', () => {
		const { parts, view, arrive, connections } = inboxWorld('~alice', '~bob');
		const counts = inboxCounts(parts, age);
		assert.deepEqual([view.badge, stubbedWorkspace.status.text], [undefined, '$(inbox)']);
		arrive([makeEntry('a', 0)]);
		assert.deepEqual(view.badge, { value: 1, tooltip: '1 unread entry in your inbox' });
		arrive([makeEntry('b', 0), makeEntry('c', 0)], 1);
		assert.deepEqual(view.badge, { value: 3, tooltip: '3 unread entries in your inbox' });
		const { status } = stubbedWorkspace;
		assert.deepEqual(
			[status.text, status.tooltip?.value, status.isShown],
			['$(inbox) 3', '3 unread entries in your inbox\n\nAs of noon', true],
		);
		connections.all()[0]?.inbox.setState(['a'], 'read');
		connections.replace(...connections.all().slice(0, 1));
		assert.deepEqual([view.badge, status.text, status.isShown], [undefined, '$(inbox)', true]);
		counts.dispose();
	});

	test('leaves request usage in the status bar at 0, and hides the item without an account', () => {
		const { parts, connections } = inboxWorld();
		const all = connections.all();
		const counts = inboxCounts(parts, inboxAge(parts));
		const { status } = stubbedWorkspace;
		assert.deepEqual(
			[status.isShown, status.accessibilityInformation?.label],
			// Screen readers read only the label, so it repeats the tooltip.
			[true, `No unread entries in your inbox\n${inboxAge(parts).details().join('\n')}`],
		);
		assert.match(
			status.tooltip?.value ?? '',
			/^No unread entries in your inbox\n\n.*requests in the last hour\\: \d+ of \d+$/,
		);
		connections.replace();
		assert.equal(status.isShown, false);
		connections.replace(...all);
		assert.equal(status.isShown, true);
		counts.dispose();
	});

	test('updates request usage in the tooltip, even in a window that doesn’t poll', () => {
		const { parts, clock } = inboxWorld();
		let spent = 42;
		const counts = inboxCounts(parts, fake<InboxAge>({ details: () => [`${spent} of 300`] }));
		const { status } = stubbedWorkspace;
		spent = 43;
		clock.advance(60_000);
		assert.match(status.tooltip?.value ?? '', /43 of 300$/);
		assert.match(status.accessibilityInformation?.label ?? '', /\n43 of 300$/);
		counts.dispose();
		spent = 44;
		clock.advance(120_000);
		assert.match(status.tooltip?.value ?? '', /43 of 300$/);
	});

	test('appears in the status bar only if the setting allows it', () => {
		const { parts, arrive, set } = inboxWorld();
		const counts = inboxCounts(parts, age);
		arrive([makeEntry('a', 0)]);
		set({ statusBar: false });
		assert.equal(stubbedWorkspace.status.isShown, false);
		set({ statusBar: true });
		assert.equal(stubbedWorkspace.status.isShown, true);
		counts.dispose();
	});

	test('marks unread entries and their things with a dot', () => {
		const { parts, arrive, connections } = inboxWorld();
		const counts = inboxCounts(parts, age);
		arrive([makeEntry('a', 0), makeEntry('b', 1)]);
		connections.all()[0]?.inbox.setState(['a'], 'read');
		const paths = ['/entry/a', '/entry/b', '/thing/ticket ~alice/alpha#7'];
		assert.deepEqual(paths.map(dotOf), [undefined, '●', '●']);
		connections.all()[0]?.inbox.setState(['b'], 'done');
		assert.deepEqual(paths.map(dotOf), [undefined, undefined, undefined]);
		counts.dispose();
	});
});

suite('inbox settings', () => {
	setup(() => resetStub());

	test('fall back to the defaults for invalid values', () => {
		const settings = inboxSettings(standFor<typeof vscode.workspace>(workspace));
		assert.deepEqual([settings.notifyOf(), settings.hasStatusBar()], [[], true]);
		stubbed.settings.set('forge.inbox.notify', ['mine', 'all', 3, 'mentioned']);
		stubbed.settings.set('forge.inbox.statusBar', false);
		assert.deepEqual([settings.notifyOf(), settings.hasStatusBar()], [['mentioned', 'mine'], false]);
		stubbed.settings.set('forge.inbox.notify', 'mine');
		stubbed.settings.set('forge.inbox.statusBar', 'no');
		assert.deepEqual([settings.notifyOf(), settings.hasStatusBar()], [[], true]);
	});
});
