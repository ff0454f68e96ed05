import { archiveMails } from '../support/archiveMails.ts';
import { chainedSuite } from '../support/chain.ts';
import { startArchive, type RealArchive } from '../support/realArchive.ts';
import {
	answer,
	openOnly,
	runCommand,
	treeItem,
	expand,
	clickRow,
	webview,
	viewSection,
	openContainer,
} from './support/user.ts';
import { useWorkbench } from './support/workbench.ts';

chainedSuite('mail archive without an account', () => {
	let archive: RealArchive;
	suiteSetup(async function () {
		this.timeout(300_000);
		archive = await startArchive({ devel: archiveMails().map(({ raw }) => raw) });
	});
	const workbench = useWorkbench(() => ({ name: 'archive', viewport: { width: 1400, height: 1200 } }));
	suiteTeardown(() => archive.stop());

	test('looks', async () => {
		const { page, picture } = workbench();
		await openContainer(page, 'Forge');
		await picture('0 welcome');
		await runCommand(page, 'Forge: Follow Mail Archive…');
		await picture('1 box');
		await answer(page, archive.inboxUrl('devel'));
		await treeItem(page, /devel/).waitFor();
		await openOnly(page, 'Lists');
		await picture('2 list');
		await treeItem(page, /Patchsets/).waitFor();
		await expand(page, /Patchsets/);
		await page.waitForTimeout(3000);
		await picture('3 patchsets');
		await expand(page, /Threads/);
		await page.waitForTimeout(3000);
		await picture('4 threads');
	});
});
