import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { DraftComment, DraftPlace } from 'patchmail/review/reviewDraft.ts';
import { keepComment, reviewSubject } from '../../src/store/drafts/reviewDrafts.ts';
import { fakeDrafts } from '../support/fakeTicketsParts.ts';
import { eventually } from '../support/eventually.ts';
import { testInRest } from '../support/parts.ts';
import { resetStub, stubbed } from '../support/vscodeValues.ts';
import { versionWorld, type VersionWorld } from '../support/versionWorld.ts';
import { axeThemes, axeViolations, isWhole } from './support/axe.ts';
import { keepPicture } from './support/pagePictures.ts';
import { patchsetPages } from './support/patchsetPages.ts';

const { draftCounts } = await import('../../src/features/lists/reviewState/draftCounts.ts');

const never = new AbortController().signal;

suite('own comments on the page of a newer version', function () {
	this.timeout(120_000);
	const open = patchsetPages();
	setup(() => resetStub());

	/** The first version with two comments of the reader, and a reply of the author to one. */
	function reviewedWorld(): VersionWorld {
		const world = versionWorld();
		world.reply(91, 'alice', '> +FOLD 30\n\nIn words, please.\n\n> +GONE 20\n\nWhy is this here?\n');
		world.reply(92, 'bob', '> > +FOLD 30\n>\n> In words, please.\n\nYes.\n', 91);
		return world;
	}

	/** Drafts on the first version: on the same, on changed and on hidden lines of the second one. */
	async function drafted(world: VersionWorld) {
		const drafts = fakeDrafts();
		const of = { connectionKey: world.connection.key, ref: world.ref };
		const { series } = await world.connection.reviews.read(world.ref, never);
		const { messageId } = series.patches[1]?.mail ?? assert.fail();
		const keep = (id: string, file: number, line: number, text: string): Promise<void> => {
			const place: DraftPlace = { kind: 'lines', messageId, file, side: 'new', firstLine: line, line };
			return keepComment(drafts, of, { id, place, text }, line);
		};
		await keep('same', 0, 29, 'Why this line?');
		await keep('changed', 0, 30, 'Write the number out.');
		await keep('lost', 1, 20, 'Does this belong here?');
		return { of, drafts, counts: draftCounts(drafts) };
	}

	async function opened(world: VersionWorld, id: number, wish = {}) {
		const { drafts, counts } = await drafted(world);
		const changes = { drafts, draftCounts: counts };
		return { ...(await open({ connection: world.connection, ref: { ...world.ref, id }, changes, ...wish })), drafts };
	}

	const rows = async (page: Page, title: string): Promise<readonly string[]> => {
		const texts = await page.locator('details.own').filter({ hasText: title }).locator('li').allInnerTexts();
		return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());
	};

	test('shows each comment with the change and the reply that answered it, and opens its place', async () => {
		const world = reviewedWorld();
		const { page, incidents } = await open({ connection: world.connection, ref: { ...world.ref, id: 8 } });
		const title = 'Your comments on v1: 2, changed 2, replied to 1, untouched 0';
		await page.getByRole('heading', { name: title }).waitFor();
		const [first = '', second = ''] = await rows(page, title);
		assert.match(
			first,
			/^In words, please\. fold\.c:30 · changed, and the author replied .*-fold 30 \+FOLD THIRTY.* Yes\.$/,
		);
		assert.match(second, /^Why is this here\? gone\.c:20 · changed .*-gone 20 \+GONE TWENTY/);
		await page.getByRole('button', { name: 'In words, please.', exact: true }).first().click();
		await eventually(() => Promise.resolve([...stubbed.executed]), ['forge.patchsets.openDiff']);
		assert.match(JSON.stringify(stubbed.passed.at(-1)), /"patchsetId":8,"mailId":82,"fileIndex":0,"at":\d+/);
		assert.deepEqual(incidents, []);
	});

	test('takes no place and compares nothing without own comments or drafts', async () => {
		const world = versionWorld();
		const { page } = await open({ connection: world.connection, ref: { ...world.ref, id: 8 } });
		await page.locator('.patch').nth(1).waitFor();
		await page.getByRole('heading', { name: 'Versions' }).waitFor();
		assert.equal(await page.locator('.own-review').evaluate((element) => element.childElementCount), 0);
	});

	test('offers drafts of the earlier version with their fate, and moves them by its button', async () => {
		const world = versionWorld();
		const { page } = await opened(world, 8);
		const title = 'Your draft comments on v1: 3';
		await page.getByRole('heading', { name: title }).waitFor();
		assert.deepEqual((await rows(page, title)).toSorted(), [
			'Does this belong here? moved.c:20 · stays: v2 does not show these lines +MOVED 20',
			'Why this line? fold.c:29 · same lines in v2',
			'Write the number out. fold.c:30 · these lines changed in v2 +FOLD 30',
		]);
		await page.getByRole('button', { name: 'Move to v2' }).click();
		await eventually(() => Promise.resolve([...stubbed.executed]), ['forge.review.moveDrafts']);
		await page.getByRole('button', { name: 'Does this belong here?' }).click();
		await eventually(() => Promise.resolve(stubbed.executed.length), 2);
		assert.match(
			JSON.stringify(stubbed.passed.at(-1)),
			/"patchsetId":7,"mailId":72,"fileIndex":1/,
			'in its own version',
		);
	});

	test('offers the same on the page of the earlier version, and follows the drafts', async () => {
		const world = versionWorld();
		const { page, drafts } = await opened(world, 7);
		await page.getByRole('button', { name: 'Move to v2' }).waitFor();
		for (const { about } of drafts.all()) {
			await drafts.keep(about, { text: '', atMs: 0 });
		}
		await eventually(() => page.locator('details.own').count(), 0);
	});

	test('lists moved drafts with the earlier lines, and a section stays folded', async () => {
		const world = versionWorld();
		const { drafts, of } = await drafted(world);
		const later = { ...of, ref: { ...world.ref, id: 8 } };
		const [draft] = drafts.all();
		assert.ok(draft?.about.kind === 'review' && draft.about.part.kind === 'comment');
		const moved = {
			patchset: 7,
			version: 1,
			place: draft.about.part.place,
			isChanged: true,
			lines: ['+FOLD 30'],
		} satisfies DraftComment['moved'];
		await keepComment(drafts, later, { id: 'there', place: { kind: 'mail', messageId: '<x@y>' }, text: 'Hm.' }, 1);
		await drafts.keep(reviewSubject(later, { kind: 'movedFrom', id: 'there' }), {
			text: JSON.stringify(moved),
			atMs: 1,
		});
		const changes = { drafts, draftCounts: draftCounts(drafts) };
		const { page } = await open({ connection: world.connection, ref: later.ref, changes });
		const title = 'Draft comments from v1: 1';
		await page.getByRole('heading', { name: title }).waitFor();
		assert.deepEqual(await rows(page, title), ['Hm. these lines changed +FOLD 30']);
		await page.getByRole('heading', { name: title }).click();
		await keepComment(drafts, later, { id: 'there', place: { kind: 'mail', messageId: '<x@y>' }, text: 'Hm, hm.' }, 2);
		const section = page.locator('details.own').filter({ hasText: title });
		await eventually(() => section.locator('li').first().textContent(), 'Hm, hm. these lines changed+FOLD 30\n');
		assert.equal(await section.evaluate((details) => details.hasAttribute('open')), false);
	});

	for (const theme of axeThemes) {
		for (const look of isWhole(theme) ? [{}, { width: 320 }, { zoom: 2 }] : [{}]) {
			const testLook = theme === axeThemes[0] && !('zoom' in look) ? test : testInRest;
			testLook(`axe reports no violations and nothing overflows, ${theme} ${JSON.stringify(look)}`, async () => {
				const { page } = await opened(reviewedWorld(), 8, { theme, ...look });
				await page.getByRole('button', { name: 'Move to v2' }).waitFor();
				await page.getByRole('heading', { name: /^Your comments on v1/ }).waitFor();
				const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
				assert.ok(wide <= 0, `${wide} pixels too wide`);
				await keepPicture(page, `patchset-outcomes-${theme}${JSON.stringify(look).replaceAll(/\W/g, '')}`);
				assert.deepEqual(await axeViolations(page, theme), []);
			});
		}
	}
});
