import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { ListApi } from 'sourcehut/port/forge.ts';
import type { ListRef, ShortEmail } from 'sourcehut/port/list.ts';
import type { Pages } from 'sourcehut/port/page.ts';
import { ownMails, type OwnMails } from '../../../../src/store/lists/ownMails.ts';
import { wanted } from '../../../support/contractForge.ts';
import { fake } from '../../../support/fake.ts';
import { makeMail } from '../../../support/makeMail.ts';
import type { KeptListing } from '../../../../src/store/shared/listing.ts';

const list = (name: string): ListRef => ({ owner: '~alice', name });

function mailBy(canonicalName: string, id: number): ShortEmail {
	return makeMail({ id, createdMs: id, sender: { canonicalName, name: canonicalName } });
}

async function* page(...items: readonly ShortEmail[]): Pages<ShortEmail> {
	yield { items, seen: items.length, completeness: { kind: 'more', total: undefined } };
	assert.fail('nobody asked for more');
}

suite('own messages', () => {
	const ids = async (own: OwnMails): Promise<readonly number[]> => (await own.read(wanted())).map(({ id }) => id);

	test('need one request if the forge lists them', async () => {
		const own = ownMails(
			fake<ListApi>({
				emailsOf: () => page(mailBy('~alice', 1), mailBy('~alice', 2)),
				mails: () => assert.fail(),
			}),
			'~alice',
			() => assert.fail(),
			undefined,
		);
		assert.deepEqual(await ids(own), [2, 1]);
		assert.equal(own.requests(7), 1);
	});

	test('otherwise are among the newest messages of each list, except for inaccessible lists', async () => {
		const of: Readonly<Record<string, () => Pages<ShortEmail>>> = {
			one: () => page(mailBy('~alice', 1), mailBy('~bob', 2)),
			two: () => page(mailBy('~carol', 3), mailBy('~alice', 4)),
			// eslint-disable-next-line require-yield
			async *closed() {
				throw new ForgeError({ kind: 'notAllowed' });
			},
		};
		const own = ownMails(
			fake<ListApi>({ mails: ({ name }) => of[name]?.() ?? assert.fail(name) }),
			'~alice',
			async () => Object.keys(of).map(list),
			undefined,
		);
		assert.deepEqual(await ids(own), [4, 1]);
		assert.deepEqual([own.requests(3), own.requests(300)], [3, 20]);
	});

	test('load a few pages back to a given time, until they reach stored ones', async () => {
		let kept: readonly ShortEmail[] = [];
		let asked = 0;
		const disk: KeptListing<ShortEmail> = {
			read: async () => ({ value: { items: kept, completeness: { kind: 'unstated' } }, readAtMs: 0 }),
			keep({ items }) {
				kept = items;
				return 0;
			},
			drop: () => (kept = []),
		};
		async function* pages(newest: number): Pages<ShortEmail> {
			asked = 0;
			for (let id = newest; id > 0; id -= 2) {
				asked += 1;
				const items = [mailBy('~alice', id), mailBy('~alice', id - 1)];
				yield { items, seen: 0, completeness: { kind: 'more', total: undefined } };
			}
		}
		let newest = 100;
		const own = ownMails(
			fake<ListApi>({ emailsOf: () => pages(newest), mails: () => assert.fail() }),
			'~alice',
			() => assert.fail(),
			disk,
		);
		const read = async (sinceMs: number): Promise<readonly unknown[]> => {
			const items = await own.readSince(sinceMs, wanted());
			return [asked, items.length, items.at(-1)?.id];
		};
		assert.deepEqual(await read(96), [3, 6, 95]);
		newest = 102;
		assert.deepEqual(await read(96), [2, 8, 95], 'one page is new, and the next one is known');
		assert.deepEqual(await read(1), [5, 10, 93]);
	});

	test('accumulate across reads, even while the forge is offline', async () => {
		let kept: readonly ShortEmail[] = [mailBy('~alice', 1)];
		let isAway = false;
		const disk: KeptListing<ShortEmail> = {
			read: async () => ({ value: { items: kept, completeness: { kind: 'unstated' } }, readAtMs: 0 }),
			keep({ items }) {
				kept = items;
				return 0;
			},
			drop: () => (kept = []),
		};
		const own = ownMails(
			fake<ListApi>({
				emailsOf() {
					if (isAway) {
						throw new ForgeError({ kind: 'unreachable', host: 'forge.test', reason: 'timeout' });
					}
					return page(mailBy('~alice', 5));
				},
			}),
			'~alice',
			() => assert.fail(),
			disk,
		);
		assert.deepEqual(await ids(own), [5, 1]);
		isAway = true;
		assert.deepEqual(await ids(own), [5, 1]);
	});
});
