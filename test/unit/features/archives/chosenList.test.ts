import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Archives } from 'public-inbox/port/archiveForge.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { archiveDirectory, type ArchiveDirectory } from '../../../../src/editor/accounts/archiveDirectory.ts';
import { fake } from '../../../support/fake.ts';
import { textInMemory } from '../../../../src/store/shared/keptText.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { archivesFeature } = await import('../../../../src/features/archives/archivesFeature.ts');

const never = new AbortController().signal;

suite('the list of a site that a person chooses', () => {
	setup(resetStub);

	/** The lists that are followed after the choice of one that the site names. */
	async function followed(typed: string, url: string): Promise<readonly string[]> {
		const added: string[] = [];
		const directory = fake<ArchiveDirectory>({
			add: async (inbox: string) => void added.push(inbox),
			visit: async () => Promise.reject(new DOMException('The test ends here', 'AbortError')),
		});
		const inbox = { url, name: 'linux-kernel', description: 'The kernel list', modifiedMs: undefined, epochs: [] };
		const archives = fake<Archives>({ findPlace: async () => ({ kind: 'site', inboxes: [inbox] }) });
		const { commands } = archivesFeature({
			directory,
			open: async () => archives,
			live: { ready: Promise.resolve(), byKey: () => undefined },
		});
		stubbed.answers.push('linux-kernel');
		await assert.rejects(async () => commands['forge.archives.follow']?.(typed, never, []));
		return added;
	}

	test('is checked like a typed one', async () => {
		const site = 'https://site.test/';
		for (const url of [
			'http://10.0.0.1/linux-kernel/',
			'http://site.test/linux-kernel/',
			'http://127.0.0.1:8080/linux-kernel/',
			'https://localhost/linux-kernel/',
			'http://[::1]/linux-kernel/',
			'https://me:secret@other.test/linux-kernel/',
			'file:///etc/linux-kernel/',
		]) {
			assert.deepEqual(await followed(site, url), [], url);
		}
		assert.deepEqual(await followed(site, `${site}linux-kernel/`), [`${site}linux-kernel/`]);
		assert.deepEqual(await followed('http://127.0.0.1:80/', 'http://127.0.0.1/a/'), ['http://127.0.0.1/a/']);
		assert.deepEqual(await followed(site, 'https://other.test/a/'), ['https://other.test/a/']);
		assert.equal(stubbed.offered.at(-1)?.description, 'other.test The kernel list');
	});

	test('is stored by no way that skips the check', async () => {
		let value: unknown = [];
		const setting = {
			read: () => value,
			write: async (next: unknown) => void (value = next),
			onDidChange: new Emitter<void>().event,
		};
		const directory = archiveDirectory(setting, setting, textInMemory());
		for (const url of ['http://10.0.0.1/a/', 'http://site.test/a/', 'https://a:b@site.test/x/', 'ftp://site.test/a/']) {
			await assert.rejects(directory.add(url), { problem: { kind: 'notFound' } }, url);
			await assert.rejects(directory.visit(url), { problem: { kind: 'notFound' } }, url);
		}
		await directory.add('https://site.test/a/');
		assert.deepEqual(value, ['https://site.test/a/']);
		directory.dispose();
	});
});
