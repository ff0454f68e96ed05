import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { fieldsOf, startSampleForge, type SampleForge } from '../support/sampleForge.ts';
import { isWatched } from './support/keptInbox.ts';
import { dialectsOf } from './support/sharedForge.ts';
import { signInWithToken } from './support/sampleWindow.ts';
import { notification, openContainer, openOnly, question, quickInput, runCommand, treeItem } from './support/user.ts';
import { useWorkbench } from './support/workbench.ts';
import { inRest } from '../support/parts.ts';

const hooksOfTracker = '/api/user/~alice/trackers/workshop/webhooks';

for (const dialect of dialectsOf('document')) {
	suite(`${dialect}: webhooks of a window`, function () {
		inRest(this);
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await startSampleForge({ dialect });
			await forge.call('todo', 'POST', '/api/trackers', { body: { name: 'workshop', visibility: 'PUBLIC' } });
			await forge.call('todo', 'POST', '/api/trackers/workshop/tickets', {
				body: { title: 'The lamp smokes', description: 'In the wind.' },
			});
		});
		const workbench = useWorkbench(() => ({
			name: `webhooks-${dialect}`,
			settings: {
				'forge.forges': [
					// A regular forge, because the extension stores nothing for the sample forge.
					{
						name: 'Lantern Forge',
						areas: forge.areas,
						signIn: { kind: 'tokenOnly' },
						webhookKey: forge.webhookKey,
					},
				],
			},
		}));
		suiteTeardown(() => forge.stop());

		/** URLs of the token's webhooks at a path of the ticket area. */
		async function hooks(path: string): Promise<readonly unknown[]> {
			const { json } = await forge.call('todo', 'GET', path);
			const all: unknown = dialect === 'field' ? fieldsOf(json)['results'] : json;
			assert.ok(Array.isArray(all));
			return all.map((each) => fieldsOf(each)['url']);
		}

		test('creates webhooks on request, shows events immediately, and deletes them again', async () => {
			const { page, dataFolder } = workbench();
			await openContainer(page, 'Forge');
			await signInWithToken(page, forge.tokens.alice);
			await treeItem(page, /workshop/).waitFor();
			await eventually(async () => isWatched(dataFolder, 'tracker ~alice/workshop'), true);

			await runCommand(page, 'Forge: Webhooks…', 'Receive Webhooks…');
			await notification(page, 'Webhooks are received at 127.0.0.1').waitFor();
			await eventually(async () => (await hooks(hooksOfTracker)).length, 1, 120_000);
			const [url] = await hooks(hooksOfTracker);
			assert.match(String(url), /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}$/);

			const { status } = await forge.call('todo', 'PUT', '/api/user/~alice/trackers/workshop/tickets/1', {
				token: forge.tokens.bob,
				body: { comment: 'It smokes here too.' },
			});
			assert.equal(status, 200);
			await openOnly(page, 'Inbox');
			await treeItem(page, /The lamp smokes/).waitFor();
			await runCommand(page, 'Forge: Webhooks…', 'Show Webhooks');
			// By the contract, the owner's webhook receives ticket events; on real servers, the tracker's webhook.
			const receiver = dialect === 'document' ? 'Your trackers' : '~alice/workshop';
			const row = quickInput(page).getByRole('option').filter({ hasText: receiver });
			await row.filter({ hasText: 'last received' }).waitFor();
			await page.keyboard.press('Escape');

			await runCommand(page, 'Forge: Webhooks…', 'Remove All Webhooks…');
			await question(page, 'Remove all webhooks').getByRole('button', { name: 'Remove Webhooks' }).click();
			await eventually(async () => [...(await hooks(hooksOfTracker)), ...(await hooks('/api/user/webhooks'))], []);
		});
	});
}
