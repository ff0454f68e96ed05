import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { CommandId } from '../../../../src/commands/table.ts';
import { l10n, resetStub, stubbed, stubbedTabs } from '../../../support/vscodeValues.ts';
import { standFor } from '../../../support/standFor.ts';

const { commandTable, isCommandId } = await import('../../../../src/commands/table.ts');
const { partOf } = await import('../../../../src/editor/commands/runner.ts');

suite('target of a merged command', () => {
	setup(resetStub);

	test('follows the view of a key, and the view of a row', async () => {
		assert.equal(await partOf('forge.next', { rowsOf: 'forge.tickets' }), 'forge.tickets.next');
		assert.equal(await partOf('forge.next', { rowsOf: 'forge.lists' }), 'forge.patchsets.next');
		assert.equal(await partOf('forge.refresh', { rowsOf: 'forge.inbox' }), 'forge.inbox.refresh');
		assert.equal(await partOf('forge.refresh', { rowsOf: 'forge.lists' }), 'forge.view.refresh');
		const row = (contextValue: string): object => ({ item: { contextValue }, subject: undefined });
		assert.equal(await partOf('forge.markRead', row('forge.inbox.thing.unread')), 'forge.inbox.markRead');
		assert.equal(await partOf('forge.markRead', row('forge.ticket.open.unread')), 'forge.tickets.markRead');
		assert.equal(await partOf('forge.markRead', row('forge.mail.thread.pull.unread')), 'forge.lists.markRead');
	});

	test('follows the active tab, and falls back if none fits', async () => {
		const inFront = (input: object | undefined, command: CommandId = 'forge.next'): Promise<string> => {
			stubbedTabs.splice(0, stubbedTabs.length, standFor<(typeof stubbedTabs)[number]>({ isActive: true, input }));
			return partOf(command, undefined);
		};
		assert.equal(await inFront({ viewType: 'mainThreadWebview-forge.thread' }), 'forge.lists.nextMail');
		assert.equal(await inFront({ viewType: 'mainThreadWebview-forge.patchset' }), 'forge.patchsets.next');
		assert.equal(await inFront({ modified: { scheme: 'forge-patch' } }), 'forge.comments.next');
		assert.equal(await inFront({ textDiffs: [{ modified: { scheme: 'forge-patch' } }] }), 'forge.comments.next');
		assert.equal(await inFront({ uri: { scheme: 'file' } }), 'forge.tickets.next');
		assert.equal(await inFront(undefined), 'forge.tickets.next');
		const page = { viewType: 'mainThreadWebview-forge.patchset' };
		assert.equal(await inFront(page, 'forge.nextUnread'), 'forge.lists.nextUnread');
		const diffs = { textDiffs: [{ modified: { scheme: 'forge-patch' } }] };
		assert.equal(await inFront(diffs, 'forge.nextUnread'), 'forge.comments.nextUnanswered');
	});

	test('is a choice in the language of the editor', async () => {
		const { t } = l10n;
		l10n.t = (text) => `(${text})`;
		try {
			stubbed.answers.push('(Follow List…)');
			assert.equal(await partOf('forge.follow', undefined), 'forge.lists.follow');
		} finally {
			l10n.t = t;
		}
	});

	test('is the user’s choice if several fit, by the titles of the commands', async () => {
		stubbed.answers.push('Follow List…');
		assert.equal(await partOf('forge.follow', undefined), 'forge.lists.follow');
		assert.deepEqual(stubbed.asked, ['Choose what to follow']);
		const ids = Object.keys(commandTable).filter(isCommandId);
		for (const id of ids.filter((each) => commandTable[each].merge?.choices)) {
			resetStub();
			stubbed.answers.push(undefined);
			await assert.rejects(partOf(id, undefined), { name: 'AbortError' }, id);
			assert.match(stubbed.asked[0] ?? '', /^Choose what to /, id);
		}
		assert.equal(await partOf('forge.goTo', undefined), 'forge.goTo');
	});
});
