import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { startSampleForge, type SampleForge } from '../support/sampleForge.ts';
import { testInProve } from '../support/testInProve.ts';
import { isWatched } from './support/keptInbox.ts';
import { dialectsOf } from './support/sharedForge.ts';
import { answer, openContainer, quickInput, runCommand, treeItem } from './support/user.ts';
import { useWorkbench } from './support/workbench.ts';

for (const dialect of dialectsOf('field')) {
	suite(`${dialect}: the inbox of a window that nobody uses`, () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await startSampleForge({ dialect });
			await forge.call('todo', 'POST', '/api/trackers', { body: { name: 'workshop', visibility: 'PUBLIC' } });
			await forge.call('todo', 'POST', '/api/trackers/workshop/tickets', {
				body: { title: 'The lamp smokes', description: 'In the wind.' },
			});
		});
		const workbench = useWorkbench(() => ({
			name: `inbox-at-start-${dialect}`,
			// A forge like any other: of the sample forge itself nothing is kept.
			settings: { 'forge.forges': [{ name: 'Lantern Forge', areas: forge.areas, signIn: { kind: 'tokenOnly' } }] },
		}));
		suiteTeardown(() => forge.stop());

		testInProve('fills after the start, without any use of the extension', async () => {
			const { page } = workbench();
			await openContainer(page, 'Forge');
			await runCommand(page, 'Forge: Sign In with a Token…');
			await quickInput(page).getByPlaceholder('Token').waitFor();
			await answer(page, forge.tokens.alice);
			await treeItem(page, /workshop/).waitFor();
			await eventually(async () => isWatched(workbench().dataFolder, 'tracker ~alice/workshop'), true);
			// What is in front when the window comes back shows nothing of ours.
			await openContainer(page, 'Explorer');
			const { status } = await forge.call('todo', 'PUT', '/api/user/~alice/trackers/workshop/tickets/1', {
				token: forge.tokens.bob,
				body: { comment: 'It smokes here too.' },
			});
			assert.equal(status, 200);
			await page.reload();
			await page.locator('.statusbar-item[id*="forge.inbox"]').filter({ hasText: '1' }).waitFor();
		});
	});
}
