import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { chainedSuite } from '../support/chain.ts';
import { inRest } from '../support/parts.ts';
import { startSampleForge, type SampleForge } from '../support/sampleForge.ts';
import { eventually } from '../support/eventually.ts';
import { signInWithToken } from './support/sampleWindow.ts';
import { expand, openContainer, pick, runCommand, treeItem, viewSection } from './support/user.ts';
import { dialectsOf } from './support/sharedForge.ts';
import { useWorkbench } from './support/workbench.ts';

const newestOfWebsite = /The manual page contradicts the built-in help/;

/** A regular forge, because the extension stores nothing for the sample forge and would lose it on a reload. */
function settingsFor(forge: SampleForge): Readonly<Record<string, unknown>> {
	return { 'forge.forges': [{ name: 'Lantern Forge', areas: forge.areas, signIn: { kind: 'tokenOnly' } }] };
}

for (const dialect of dialectsOf('field')) {
	chainedSuite(`${dialect}: without the forge`, function () {
		inRest(this);
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await startSampleForge({ dialect });
		});
		const workbench = useWorkbench(() => ({
			name: `offline-${dialect}`,
			viewport: { width: 1280, height: 1200 },
			settings: settingsFor(forge),
		}));
		suiteTeardown(() => forge.stop());

		async function signIn(page: Page): Promise<void> {
			await signInWithToken(page, forge.tokens.alice);
			await treeItem(page, /website/).waitFor();
		}

		function keptFiles(): readonly string[] {
			return globSync(join(workbench().dataFolder, 'User/globalStorage/*/index/*/*.lines'));
		}

		/** Their contents. A file may be replaced during the read. */
		function kept(): readonly string[] {
			return keptFiles().flatMap((file) => {
				try {
					return [readFileSync(file, 'utf8')];
				} catch {
					return [];
				}
			});
		}

		/** A tracker's first ticket is on its last page. Background reading takes time. */
		async function everythingIsKept(): Promise<void> {
			const isThere = (name: string): boolean =>
				kept().some((text) => text.includes(`"name":"${name}"`) && /"id":1,/.test(text));
			const wanted = ['lantern', 'website'];
			await eventually(async () => wanted.filter(isThere), wanted, 90_000);
		}

		test('shows background data with its age after a reload without the forge', async () => {
			const { page } = workbench();
			await openContainer(page, 'Forge');
			await signIn(page);
			await everythingIsKept();
			assert.ok(kept().every((text) => !text.includes(forge.tokens.alice)));
			await forge.stop();
			await page.reload();
			await viewSection(page, 'Tickets').waitFor();
			await expand(page, /website/);
			await treeItem(page, newestOfWebsite).waitFor();
			await viewSection(page, 'Tickets')
				.getByText(/updated/i)
				.first()
				.waitFor();
			await workbench().screenshot('rows');
		});

		test('signing out deletes all of it from the disk', async () => {
			const { page } = workbench();
			await runCommand(page, 'Forge: Sign Out…');
			await pick(page, /~alice/);
			await viewSection(page, 'Tickets').getByRole('button', { name: 'Sign In', exact: true }).waitFor();
			await eventually(async () => keptFiles(), []);
		});
	});
}
