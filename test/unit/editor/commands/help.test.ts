import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Extension } from 'vscode';
import { fake } from '../../../support/fake.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../harness/places.ts';
import { resetStub, stubbed, Uri } from '../../../support/vscodeValues.ts';
import { standFor } from '../../../support/standFor.ts';

const { helpCommands } = await import('../../../../src/editor/commands/help.ts');

suite('help', () => {
	setup(resetStub);

	test('lists the existing guides and other sources of help', async () => {
		const help = helpCommands(
			fake({ id: 'a.b', extensionUri: standFor<Extension<unknown>['extensionUri']>(Uri.file('/extension')) }),
		)['forge.help'];
		assert.ok(help);
		const [tickets = '', lists = '', repositories = ''] = ['tickets', 'lists and patches', 'repositories'].map(
			(what) => `Working with ${what}`,
		);
		const labels = [
			tickets,
			lists,
			'Reviewing patches',
			repositories,
			'Notifications',
			'Forges, tokens and sign-in',
			'Troubleshooting',
		];
		for (const label of [...labels, 'Get Started', 'Keyboard Shortcuts', 'Try the Sample Forge', 'Settings']) {
			stubbed.answers.push(label);
			await help(undefined, new AbortController().signal, []);
		}
		const paths = stubbed.passed
			.slice(0, labels.length)
			.map((uri) => /\/extension\/(docs\/[a-z]+\.md)/.exec(JSON.stringify(uri))?.[1]);
		assert.deepEqual(
			paths,
			['tickets', 'lists', 'review', 'repositories', 'notifications', 'forges', 'troubleshooting'].map(
				(name) => `docs/${name}.md`,
			),
		);
		assert.ok(paths.every((path) => existsSync(join(root, path ?? ''))));
		assert.deepEqual(stubbed.executed, [
			...paths.map(() => 'markdown.showPreview'),
			'forge.getStarted',
			'forge.showKeys',
			'forge.sample.start',
			'workbench.action.openSettings',
		]);
	});

	test('opens a guide that a command names, and lists all for any other name', async () => {
		const help = helpCommands(
			fake({ id: 'a.b', extensionUri: standFor<Extension<unknown>['extensionUri']>(Uri.file('/extension')) }),
		)['forge.help'];
		await help?.({ guide: 'troubleshooting' }, new AbortController().signal, []);
		assert.deepEqual([stubbed.executed, stubbed.asked], [['markdown.showPreview'], []]);
		assert.match(JSON.stringify(stubbed.passed), /docs\/troubleshooting\.md/);
		stubbed.answers.push('Settings');
		await help?.({ guide: '../../secret' }, new AbortController().signal, []);
		assert.deepEqual(stubbed.executed, ['markdown.showPreview', 'workbench.action.openSettings']);
	});
});
