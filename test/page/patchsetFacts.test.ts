import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { Emitter } from '@forge-desk/base/event.ts';
import type { MailAttestation } from 'patchmail/attest/attestation.ts';
import type { ListsContext } from '../../src/features/lists/context/listsContext.ts';
import type { Email } from 'sourcehut/port/list.ts';
import { eventually } from '../support/eventually.ts';
import { listConnection } from '../support/fakeLists.ts';
import { patchsetWorld, replyMail, type PatchsetWorld } from '../support/patchsetWorld.ts';
import { resetStub, stubbed } from '../support/vscodeValues.ts';
import { axeThemes, axeViolations, isWhole } from './support/axe.ts';
import { pageThemes } from '../support/pageThemes.ts';
import { testInRest } from '../support/parts.ts';
import { keepPicture } from './support/pagePictures.ts';
import { patchsetPages } from './support/patchsetPages.ts';
import { statusIsFilled } from './support/statusPill.ts';

const gus = 'Gus \u202Eoc <gus@forge.test>';
const hal = '<b>Hal</b> <hal@forge.test>';

/** Gus reviewed patch 1 of v1, whose changes v2 replaced. Version 2 still has his trailer. */
function carriedWorld(): PatchsetWorld {
	const world = patchsetWorld();
	const { mails } = world.world;
	const change = (id: number, by: (envelope: string) => string): void => {
		const at = mails.findIndex((mail) => mail.id === id);
		const mail = mails[at];
		assert.ok(mail);
		const next = { ...mail, envelope: by(mail.envelope) };
		assert.notEqual(next.envelope, mail.envelope);
		mails[at] = next;
		for (const [key, series] of world.world.series) {
			world.world.series.set(
				key,
				series.map((each) => (each.id === id ? next : each)),
			);
		}
	};
	change(10, (text) => text.replace('+\treturn found;', '+\treturn found ? found : 0;'));
	change(21, (text) =>
		text.replace('Signed-off-by: Carol', `Reviewed-by: ${gus}\r\nTested-by: ${hal}\r\nSigned-off-by: Carol`),
	);
	const reply: Email = { ...replyMail(11, 10, `Good.\n\nReviewed-by: ${gus}\n`, 'Gus <gus@forge.test>'), threadId: 10 };
	mails.push(reply);
	return world;
}

/** Signatures by patch: valid, changed by the way, and one whose key is in DNS. */
function signatures() {
	const allowed = new Emitter<void>();
	const signer = 'bob@forge.test';
	let last: MailAttestation['state'] = 'notAsked';
	const asked: (readonly string[])[] = [];
	const part: ListsContext['signatures'] = {
		async check(envelope, authors) {
			asked.push(authors);
			const at = Number(/lantern v2 (\d)/.exec(envelope)?.[1] ?? 0);
			const states: readonly (readonly MailAttestation[])[] = [
				[],
				[{ kind: 'developer', state: 'valid', signer }],
				[{ kind: 'openpgp', state: 'changed', signer: '<img src=x>\u202E' }],
				[{ kind: 'dkim', state: last, signer: 'forge.test' }],
			];
			return states[at] ?? [];
		},
		allowDns: async () => assert.fail('the command asks'),
		onDidAllow: allowed.event,
	};
	return {
		part,
		asked,
		allow: (state: MailAttestation['state']): void => {
			last = state;
			allowed.fire();
		},
	};
}

suite('facts on the patchset page', function () {
	this.timeout(120_000);
	const open = patchsetPages();
	setup(() => resetStub());

	test('say for which changes each trailer was given, and compare them on request', async () => {
		const world = carriedWorld();
		const { page, incidents } = await open({ connection: listConnection(world.api), ref: world.ref });
		const row = page.locator('tbody tr').filter({ hasText: 'gus@forge.test' });
		const other = row.locator('.bytes-other');
		await other.waitFor();
		assert.match(
			await row.innerText(),
			/^Gus ⟨U\+202E⟩oc <gus@forge\.test>[^]*Given to patch 1 of v1, which has other changes\./,
		);
		const unknown = page.locator('tbody tr').filter({ hasText: '<b>Hal</b>' }).locator('.bytes-unknown');
		assert.match(await unknown.innerText(), /^Unknown: no loaded message/);
		assert.equal(await page.locator('tbody b').count(), 0);
		assert.equal(await other.locator('.icon-other').count(), 1);
		const dora = page.locator('tbody tr').filter({ hasText: 'dora@forge.test' });
		assert.match(await dora.locator('.bytes-these').innerText(), /^Given to this patch\.$/);
		await row.getByRole('button', { name: /^Show Difference/ }).press('Enter');
		await eventually(() => Promise.resolve([...stubbed.executed]), ['forge.patchsets.compareVersions']);
		assert.equal(Reflect.get(Object(stubbed.passed[0]), 'otherVersion'), 1);
		assert.deepEqual(incidents, []);
	});

	test('sum equal signatures and never hide the worst, and ask DNS for keys by a button alone', async () => {
		const world = patchsetWorld();
		const { part, asked, allow } = signatures();
		const connection = listConnection(world.api);
		const { page, incidents } = await open({ connection, ref: world.ref, changes: { signatures: part } });
		const section = page.getByRole('region', { name: 'Signatures' });
		await section.waitFor();
		const calls = world.world.calls.length;
		const lines = (): Promise<readonly string[]> => section.locator(':scope > .proof').allInnerTexts();
		assert.deepEqual(await lines(), [
			'1 patch of 3: The signature of <img src=x>⟨U+202E⟩ does not match: the message was changed on the way or tampered with.',
			'1 patch of 3: Signed in the name of forge.test, and not checked: the key is in DNS.',
			'1 patch of 3: Signed by bob@forge.test.',
		]);
		assert.equal(await section.locator('img').count(), 0);
		// Patch 2 names another author inside, so the signature of its sender is none of that author.
		assert.deepEqual(asked, [['bob@forge.test'], [], ['bob@forge.test']]);
		await section.locator('summary').focus();
		await page.keyboard.press('Enter');
		assert.deepEqual(
			await section
				.locator('details .proof')
				.evaluateAll((all) =>
					all.map((each) => /\bicon-(\w+)/.exec(each.querySelector('.icon')?.className ?? '')?.[1]),
				),
			['valid', 'changed', 'doubtful'],
		);
		assert.deepEqual(stubbed.executed, []);
		const lookUp = section.getByRole('button', { name: 'Look Up Keys of Signatures in DNS…' });
		await lookUp.press('Enter');
		await eventually(() => Promise.resolve([...stubbed.executed]), ['forge.lists.lookUpKeys']);
		await lookUp.focus();
		allow('valid');
		await eventually(async () => (await lines()).at(-1), '1 patch of 3: Signed by the domain forge.test.');
		assert.equal(await lookUp.count(), 0);
		assert.equal(await section.locator('details').evaluate((each: HTMLDetailsElement) => each.open), true);
		assert.equal(await page.evaluate(() => document.activeElement === document.body), false);
		assert.equal(world.world.calls.length, calls, 'no request');
		assert.deepEqual(await axeViolations(page), []);
		assert.deepEqual(incidents, []);
	});

	for (const theme of pageThemes) {
		const testTheme = theme === 'light' ? test : testInRest;
		testTheme(`the status is a filled pill with readable text in any status (${theme})`, async () => {
			const { api, ref } = patchsetWorld();
			const { page } = await open({ connection: listConnection(api), ref, theme });
			const pill = page.getByRole('button', { name: 'Proposed', exact: true });
			await pill.waitFor();
			for (const status of [
				'proposed',
				'needsRevision',
				'approved',
				'applied',
				'rejected',
				'superseded',
				'unknownStatus',
			]) {
				await page
					.locator('.status')
					.evaluate((element, name) => element.setAttribute('class', `status status-${name}`), status);
				await statusIsFilled(page, status);
				await keepPicture(page, `patchset status ${theme} ${status}`);
			}
		});
	}

	test('check boxes are dark in dark themes only', async () => {
		const { api, ref } = patchsetWorld();
		const schemes = await Promise.all(
			pageThemes.map(async (theme) => {
				const { page } = await open({ connection: listConnection(api), ref, theme });
				const box = page.getByRole('checkbox', { name: 'Hide viewed files' });
				return [theme, await box.evaluate((each) => getComputedStyle(each).colorScheme)];
			}),
		);
		assert.deepEqual(Object.fromEntries(schemes), {
			light: 'normal',
			dark: 'dark',
			highContrast: 'dark',
			highContrastLight: 'normal',
		});
	});

	for (const theme of axeThemes) {
		for (const look of isWhole(theme) ? [{}, { width: 320 }, { zoom: 2 }] : [{}]) {
			test(`fit and have no violations of axe, ${theme} ${JSON.stringify(look)}`, async () => {
				const world = carriedWorld();
				const { part } = signatures();
				const connection = listConnection(world.api);
				const { page } = await open({ connection, ref: world.ref, changes: { signatures: part }, theme, ...look });
				await page.locator('.bytes-other').waitFor();
				await page.locator('.signatures summary').click();
				const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
				assert.ok(wide <= 0, `${wide} pixels too wide`);
				await keepPicture(page, `patchset-facts-${theme}${JSON.stringify(look).replaceAll(/\W/g, '')}`);
				assert.deepEqual(await axeViolations(page, theme), []);
			});
		}
	}
});
