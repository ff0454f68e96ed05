import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { startSampleForge, type Dialect, type SampleForge } from '../support/sampleForge.ts';
import { answer, expand, openContainer, pick, quickInput, runCommand, treeItem, viewSection } from './support/user.ts';
import { useWorkbench } from './support/workbench.ts';

const newestOfWebsite = /The manual page contradicts the built-in help/;

/** A forge like any other, which outlives the window: what is known of the sample forge itself is kept nowhere. */
function settingsFor(forge: SampleForge): Readonly<Record<string, unknown>> {
	return { 'forge.forges': [{ name: 'Lantern Forge', areas: forge.areas, signIn: { kind: 'tokenOnly' } }] };
}

for (const dialect of ['field', 'document'] as const satisfies readonly Dialect[]) {
	suite(`${dialect}: without the forge`, () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await startSampleForge({ dialect, fromDist: true });
		});
		const workbench = useWorkbench(() => ({ name: `offline-${dialect}`, settings: settingsFor(forge) }));
		suiteTeardown(() => forge.stop());

		async function signInWithToken(page: Page): Promise<void> {
			await runCommand(page, 'Forge: Sign In with a Token…');
			await quickInput(page).getByPlaceholder('Token').waitFor();
			await answer(page, forge.tokens.alice);
			await treeItem(page, /website/).waitFor();
		}

		function kept(): readonly string[] {
			const pattern = join(workbench().dataFolder, 'User/globalStorage/*/index/*/*.lines');
			return globSync(pattern).map((file) => readFileSync(file, 'utf8'));
		}

		/** The first ticket of a tracker stands on the last of its pages. */
		async function everythingIsKept(): Promise<void> {
			const isThere = (name: string): boolean =>
				kept().some((text) => text.includes(`"name":"${name}"`) && /"id":1,/.test(text));
			const limitMs = Date.now() + 60_000;
			while (!['lantern', 'website'].every(isThere)) {
				assert.ok(Date.now() < limitMs, 'the index was not written');
				await wait(100);
			}
		}

		test('what was read in the background is there after a reload, with its age, when the forge is gone', async () => {
			const { page } = workbench();
			await openContainer(page, 'Forge');
			await signInWithToken(page);
			await everythingIsKept();
			assert.ok(kept().every((text) => !text.includes(forge.tokens.alice)));
			await forge.stop();
			await page.reload();
			await viewSection(page, 'Tickets').waitFor();
			await expand(page, /website/);
			await treeItem(page, newestOfWebsite).waitFor();
			await viewSection(page, 'Tickets')
				.getByText(/checked/i)
				.first()
				.waitFor();
			await workbench().screenshot('rows');
		});

		test('signing out leaves nothing of it on the disk', async () => {
			const { page } = workbench();
			await runCommand(page, 'Forge: Sign Out…');
			await pick(page, /~alice/);
			await viewSection(page, 'Tickets').getByRole('button', { name: 'Sign In', exact: true }).waitFor();
			const limitMs = Date.now() + 10_000;
			while (kept().length > 0) {
				assert.ok(Date.now() < limitMs, 'the index is still there');
				await wait(100);
			}
		});
	});
}
