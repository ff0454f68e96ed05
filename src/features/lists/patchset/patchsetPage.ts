import { listRefText } from '../../../forge/list.ts';
import type { PageContent } from '../../../editor/pages/pageHost.ts';
import type { PatchsetProtocol } from '../../../protocol/patchsetProtocol.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import type { PatchsetSubject } from '../subjects/subjects.ts';
import { tabTitle } from './headView.ts';
import { OpenPatchset } from './openPatchset.ts';
import { patchsetHandlers } from './patchsetHandlers.ts';

/** The page of one patchset. `writing` lets a write go on after its page was closed: it may already have arrived. */
export function patchsetPage(
	parts: ListsParts,
	subject: PatchsetSubject,
	writing: AbortSignal,
): PageContent<PatchsetProtocol> {
	const { connectionKey, ref } = subject;
	const known = parts.connections.byKey(connectionKey)?.lists.knownPatchset(ref);
	return {
		type: 'forge.patchset',
		key: `${connectionKey} ${listRefText(ref.list)} ${ref.id}`,
		title: tabTitle(ref, known),
		icon: 'git-pull-request',
		subject,
		script: 'patchset.js',
		styles: ['page.css', 'mailText.css', 'files.css', 'patchsetPage.css'],
		keptOpenBy: ['openPatchset', 'follow'],
		connect(link) {
			const page = new OpenPatchset(parts, { subject, link });
			return { handlers: patchsetHandlers(page, { parts, subject, link, writing }), start: page.open() };
		},
	};
}
