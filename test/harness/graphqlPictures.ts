import { startSampleForge, type SampleForge } from '../support/sampleForge.ts';
import { fillBox, pressInBox } from '../ui/support/boxKeys.ts';
import {
	chooseFromMenu,
	expand,
	openContainer,
	openedPage,
	openOnly,
	pick,
	quickInput,
	runCommand,
	treeItem,
	webview,
} from '../ui/support/user.ts';
import {
	type Camera,
	type PictureFolders,
	pictureSize,
	takeBoxInThemes,
	takeInThemes,
	withCamera,
} from './pictureCamera.ts';

const ticket = /The lamp smokes/;
const patchset = /^fold: nest as deep as you like, .*version 2/;

/** What forges of GraphQL add, in the themes in which people look at it. */
export async function takeGraphqlPictures(folders: PictureFolders): Promise<void> {
	const forge = await startSampleForge({ dialect: 'graphql' });
	try {
		await tellMore(forge);
		await withCamera(
			{
				name: 'graphql-pictures',
				settings: { 'forge.forges': [{ name: 'Lantern Forge', areas: forge.areas, hub: forge.hub }] },
				viewport: pictureSize,
			},
			folders,
			async (camera) => {
				await signIn(camera, forge);
				await tickets(camera);
				await lists(camera);
				await repositories(camera);
			},
		);
	} finally {
		await forge.stop();
	}
}

/** A ticket of few labels, and what programs that build a patchset would say of it. */
async function tellMore(forge: SampleForge): Promise<void> {
	await forge.act('/todo/tracker', { name: 'workshop' });
	await forge.act('/todo/label', { tracker: '~alice/workshop', name: 'oil', background: '#c04040' });
	await forge.act('/todo/label', { tracker: '~alice/workshop', name: 'wick', background: '#4060c0' });
	const description = 'It smokes as soon as the window is open.\n\n- [ ] trim the wick\n- [x] fill up the oil';
	await forge.act('/todo/ticket', { tracker: '~alice/workshop', title: 'The lamp smokes', description });
	await forge.act('/todo/comment', { ticket: '~alice/workshop#1', by: 'bob', text: 'Here, too, with **both** wicks.' });
	for (const [icon, details] of [
		['SUCCESS', 'Debian: built in 41 seconds'],
		['FAILED', 'FreeBSD: test/fold.sh failed'],
		['PENDING', 'Alpine: waiting for a builder'],
	]) {
		const query = `mutation { createTool(patchsetID: 34, details: "${details}", icon: ${icon}) { id } }`;
		const { status, text } = await forge.call('lists', 'POST', '/query', { body: { query } });
		if (status !== 200 || text.includes('"errors"')) {
			throw new Error(`No check: ${text}`);
		}
	}
}

async function signIn(camera: Camera, forge: SampleForge): Promise<void> {
	const { page } = camera;
	await openContainer(page, 'Forge');
	await runCommand(page, 'Forge: Sign In…');
	const box = quickInput(page);
	const browser = await openedPage(page, () =>
		box.getByRole('button', { name: 'Open the token page of Lantern Forge' }).click(),
	);
	await browser.waitForURL(({ href }) => href.startsWith(forge.areas.meta));
	await browser.getByRole('button', { name: '(~alice)' }).click();
	await browser.getByRole('button', { name: 'Make a token' }).waitFor();
	await browser.screenshot({ path: `${camera.folders.look}/graphql-token-page.png` });
	await browser.getByRole('button', { name: 'Make a token' }).click();
	const token = (await browser.locator('#token').textContent()) ?? '';
	await browser.close();
	await pressInBox(box, 'Escape');
	const enterToken = async (): Promise<void> => {
		await runCommand(page, 'Forge: Sign In…');
		await box.getByPlaceholder('Token').waitFor();
		await fillBox(box, token);
		await box.getByText('This token of ~alice is valid until').waitFor();
	};
	await takeBoxInThemes(camera, 'graphql-token', enterToken);
	await enterToken();
	await pressInBox(box, 'Enter');
	await treeItem(page, /Tracker lantern-plugins/).waitFor();
}

async function tickets(camera: Camera): Promise<void> {
	const { page } = camera;
	await openOnly(page, 'Tickets');
	await expand(page, /Tracker workshop/);
	await treeItem(page, ticket).click();
	await webview(page).locator('.entry').first().waitFor();
	await takeBoxInThemes(camera, 'graphql-assign', async () => {
		await chooseFromMenu(page, ticket, 'Assign Ticket…');
		await fillBox(quickInput(page), 'bob');
	});
	await webview(page).getByRole('button', { name: 'Edit Labels' }).click();
	await takeInThemes(camera, 'graphql-labels');
	const labels = webview(page).getByRole('dialog', { name: 'Edit Labels' });
	await labels.getByRole('button', { name: 'Cancel' }).click();
	await labels.waitFor({ state: 'hidden' });
	await webview(page).getByRole('button', { name: 'Edit Title and Description' }).click();
	await takeInThemes(camera, 'graphql-edit');
	await runCommand(page, 'View: Close All Editors');
	await takeBoxInThemes(camera, 'graphql-colors', async () => {
		await chooseFromMenu(page, /Tracker workshop/, 'Manage Tracker Labels…');
		await pick(page, /\boil\b/);
		await pick(page, 'Change Color…');
		await quickInput(page)
			.getByRole('option', { name: /\bRed\b/ })
			.first()
			.waitFor();
	});
}

async function lists(camera: Camera): Promise<void> {
	const { page } = camera;
	await openOnly(page, 'Lists');
	await expand(page, /Mailing list lantern-devel/);
	await treeItem(page, patchset).click();
	await webview(page)
		.getByRole('heading', { name: /^Patches/ })
		.waitFor();
	await webview(page).getByText('FreeBSD: test/fold.sh failed').first().waitFor();
	await takeInThemes(camera, 'graphql-checks');
	await takeBoxInThemes(camera, 'graphql-archive', () =>
		chooseFromMenu(page, /^Mailing list lantern-devel/, 'Search All Mails of the List…'),
	);
	await runCommand(page, 'View: Close All Editors');
}

async function repositories(camera: Camera): Promise<void> {
	const { page } = camera;
	await openOnly(page, 'Repositories');
	await treeItem(page, /^Repository lantern of ~alice/).waitFor();
	await takeBoxInThemes(camera, 'graphql-project', async () => {
		await chooseFromMenu(page, /^Repository lantern of ~alice/, 'Open from the Same Project…');
		await quickInput(page)
			.getByRole('option', { name: /lantern-devel/ })
			.first()
			.waitFor();
	});
	await runCommand(page, 'Forge: Open by Name or Address…', 'Open Repository…');
	await pick(page, /~alice\/lantern\b(?!-)/);
	await webview(page).getByRole('heading', { name: 'Lantern', exact: true }).waitFor();
	await webview(page)
		.getByRole('button', { name: /^Merge branch/ })
		.first()
		.click();
	await webview(page).getByRole('heading', { name: 'Changed files' }).waitFor();
	await takeInThemes(camera, 'graphql-commit');
}
