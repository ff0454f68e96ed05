import assert from 'node:assert/strict';
import { Emitter } from '@forge-desk/base/event.ts';
import { archiveDirectory } from '../../../../src/editor/accounts/archiveDirectory.ts';
import { textInMemory } from '../../../../src/store/shared/keptText.ts';
import type { UserSetting } from '../../../../src/editor/accounts/forgeDirectory.ts';

/** A setting of the user in memory. */
function setting(first: unknown): UserSetting & { readonly now: () => unknown } {
	let value = first;
	const changed = new Emitter<void>();
	return {
		read: () => value,
		now: () => value,
		async write(next) {
			value = next;
			changed.fire();
		},
		onDidChange: changed.event,
	};
}

const git = 'https://lore.example/git/';

suite('archives in the settings', () => {
	test('each site with a list is one archive, and other entries are none', () => {
		const lists = setting([
			git,
			'https://lore.example/qemu-devel',
			'https://other.example/archives/a%20b/?q=x#y',
			'http://127.0.0.1:5000/devel/',
			'http://other.example/plain/',
			'https://lore.example/100%/',
			'https://user:secret@other.example/devel/',
			'https://other.example/',
			'no URL',
			7,
		]);
		const directory = archiveDirectory(lists, setting({}), textInMemory());
		assert.deepEqual(
			directory.all().map(({ id, name, archiveUrl, areas }) => [id, name, archiveUrl, areas.lists]),
			[
				['lore.example', 'lore.example', 'https://lore.example/', 'https://lore.example'],
				[
					'other.example-archives',
					'other.example/archives',
					'https://other.example/archives/',
					'https://other.example',
				],
				['127.0.0.1-5000', '127.0.0.1:5000', 'http://127.0.0.1:5000/', 'http://127.0.0.1:5000'],
			],
		);
		assert.deepEqual(directory.namesAt('https://lore.example/'), ['git', 'qemu-devel']);
		assert.deepEqual(directory.namesAt('https://other.example/archives/'), ['a b']);
	});

	test('mirrors are URLs, as lists are', () => {
		const mirrors = setting({
			'https://lore.example': ['https://tor.example/lore', 'mirror.example/', 'http://plain.example/', 7],
			'lore.example': ['https://tor.example/'],
		});
		assert.deepEqual(archiveDirectory(setting([]), mirrors, textInMemory()).mirrors(), {
			'https://lore.example/': ['https://tor.example/lore/'],
			// No URL of an archive begins so.
			'lore.example': ['https://tor.example/'],
		});
	});

	for (const value of [undefined, null, 7, 'https://lore.example/git/', { git }]) {
		test(`a setting of ${JSON.stringify(value)} names no archive`, () => {
			const directory = archiveDirectory(setting(value), setting(value), textInMemory());
			assert.deepEqual([directory.all(), Object.values(directory.mirrors()).flat()], [[], []]);
		});
	}

	test('following and unfollowing changes the lists of one site, and keeps the others', async () => {
		const lists = setting([git, 'https://other.example/a/']);
		const directory = archiveDirectory(lists, setting({}), textInMemory());
		let changes = 0;
		directory.onDidChange(() => (changes += 1));
		await directory.add('https://lore.example/qemu-devel/');
		const followed = directory.followed('https://lore.example/');
		assert.deepEqual(followed.all(), ['lore.example/git', 'lore.example/qemu-devel']);
		assert.equal(changes, 0);
		await followed.keep(['lore.example/qemu-devel']);
		assert.deepEqual(lists.now(), ['https://other.example/a/', 'https://lore.example/qemu-devel/']);
		await followed.keep([]);
		assert.deepEqual(
			[directory.all().map(({ id }) => id), lists.now(), changes],
			[['other.example'], ['https://other.example/a/'], 1],
		);
	});

	test('a visited site is an archive without an entry, also after a reload, and strange texts are none', async () => {
		const lists = setting([]);
		const kept = textInMemory();
		const directory = archiveDirectory(lists, setting({}), kept);
		const visited = await directory.visit('https://lore.example/');
		assert.deepEqual([directory.all(), lists.now()], [[visited], []]);
		assert.equal(await directory.visit('https://lore.example/'), visited);
		assert.deepEqual(archiveDirectory(lists, setting({}), kept).all(), [visited]);
		await kept.write('["http://other.example/", "x", "https://lore.example/"]');
		assert.deepEqual(archiveDirectory(lists, setting({}), kept).all(), [visited]);
	});

	test('an entry with a fault stays in the setting when another list is followed or unfollowed', async () => {
		const lists = setting([git, 'lore.kernel.org/linux', 7]);
		const directory = archiveDirectory(lists, setting({}), textInMemory());
		await directory.add('https://lore.example/qemu-devel/');
		await directory.followed('https://lore.example/').keep(['lore.example/git']);
		assert.deepEqual(lists.now(), [git, 'lore.kernel.org/linux', 7]);
	});

	test('an instance stays the same object while its lists change', async () => {
		const lists = setting([git]);
		const directory = archiveDirectory(lists, setting({}), textInMemory());
		const [before] = directory.all();
		await lists.write([git, 'https://new.example/a/']);
		assert.equal(directory.all()[0], before);
	});
});
