import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { PageHost } from '../../../../../src/editor/pages/pageHost.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { patchsetWorld } from '../../../../support/patchsetWorld.ts';
import { resetStub, window } from '../../../../support/vscodeValues.ts';

const { mailTarget, patchsetTarget, patchTarget } =
	await import('../../../../../src/features/lists/subjects/listTargets.ts');
const { reviewUri } = await import('../../../../../src/features/lists/subjects/reviewUri.ts');
const { versionUri } = await import('../../../../../src/features/lists/subjects/versionUri.ts');
const { rawUri } = await import('../../../../../src/editor/patchDocuments/patchDiffs.ts');
const { patchUri } = await import('../../../../../src/editor/patchDocuments/patchUri.ts');

const never = new AbortController().signal;
const connectionKey = 'sample-alice';
const list = { owner: '~alice', name: 'devel' };
const place = { connectionKey, list, patchsetId: 2, mailId: 22 };
const patchset = { kind: 'patchset', connectionKey, ref: { list, id: 2 } };
const mail = { kind: 'mail', connectionKey, list, id: 22, messageId: undefined };

/** Command targets from the palette, with this active document or page. */
async function targets({ document, page }: { readonly document?: unknown; readonly page?: unknown }) {
	const connection = listConnection(patchsetWorld().api);
	await connection.lists.patchsets(list).first(never);
	await connection.lists.series({ list, id: 2 }, never);
	Object.assign(window, { activeTextEditor: document && { document: { uri: document } } });
	const pages = fake<PageHost>({ inFront: () => page });
	const parts = { connections: fakeConnections(connection), pages };
	return {
		patchset: () => patchsetTarget(parts, undefined, never),
		mail: () => mailTarget(parts, undefined, never),
		patch: () => patchTarget(parts, undefined, never),
	};
}

suite('targets of list commands', () => {
	setup(() => resetStub());
	teardown(() => void Object.assign(window, { activeTextEditor: undefined }));

	const file = patchUri({ ...place, view: { kind: 'after', fileIndex: 1 } }, '/a.c');
	const ofMail = { scheme: 'forge-mail', authority: connectionKey, path: '/~alice/devel/22/x' };

	for (const [name, document] of [
		['a diff', file],
		['a raw patch', rawUri(place, 'fold')],
		['a message', ofMail],
	] as const) {
		test(`come without a question from ${name}`, async () => {
			const found = await targets({ document });
			assert.deepEqual([await found.patchset(), await found.mail()], [patchset, mail]);
			assert.deepEqual(
				await found.patch(),
				document === file ? { kind: 'patchFile', connectionKey, list, patchsetId: 2, mailId: 22, fileIndex: 1 } : mail,
			);
		});
	}

	test('are the patchset for a review preview or a version comparison', async () => {
		const pair = { connectionKey, list, earlier: 1, later: 2 };
		for (const document of [
			reviewUri({ connectionKey, ref: { list: list, id: 2 } }),
			versionUri({ pair, view: { kind: 'rangeDiff' } }, 'Versions'),
		]) {
			assert.deepEqual(await (await targets({ document })).patchset(), patchset);
		}
	});

	test('are the selected message for a thread page', async () => {
		const found = await targets({ page: mail });
		assert.deepEqual([await found.mail(), await found.patch()], [mail, mail]);
	});
});
