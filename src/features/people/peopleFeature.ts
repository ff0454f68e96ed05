import * as vscode from 'vscode';
import type { Feature } from '../../editor/commands/feature.ts';
import type { LinkSource } from '../../editor/links/linkCommands.ts';
import type { GoToName, GoToThing } from '../../editor/links/goToThing.ts';
import type { KnownThings } from '../../search/rankThings.ts';
import { notify } from '../../editor/ask/notify.ts';
import { restorePage, type RestorePage } from '../../editor/pages/restorePage.ts';
import { pageRenderer } from '../../editor/pages/pageRenderer.ts';
import { connectionOf } from '../../editor/commands/subjects.ts';
import type { PersonSection } from '../../protocol/personView.ts';
import { askPeopleConnection, askPerson } from './askPerson.ts';
import { knownPeople } from './knownPeople.ts';
import type { PeopleParts } from './peopleParts.ts';
import { personPage } from './personPage.ts';
import { personSubject, type PersonSubject } from './subjects.ts';
import { personWebLink, webLink } from './webLink.ts';
import { personTarget } from './personTarget.ts';

/** Person pages and the user's sent patchsets. */
export interface PeopleFeature extends Feature {
	readonly restorePage: RestorePage;
	readonly links: LinkSource;
	readonly known: KnownThings<GoToName, GoToThing>;
}

/** Composes what belongs to people. */
export function peopleFeature(parts: PeopleParts): PeopleFeature {
	const renderer = pageRenderer(parts.render);

	function open(subject: PersonSubject, section: PersonSection | undefined): void {
		const page = parts.pages.open(personPage(parts, subject, { renderer, section }), 'taken');
		if (section) {
			page.tell('show', section);
		}
	}

	async function openOwn(section: PersonSection): Promise<void> {
		await parts.ready();
		const { key, me } = await askPeopleConnection(parts.connections);
		open({ kind: 'person', connectionKey: key, name: me }, section);
	}

	return {
		commands: {
			'forge.people.open': async (subject, signal) => {
				await parts.ready();
				const who = await personTarget(parts, subject, signal);
				if (who) {
					open(who, undefined);
				} else {
					void notify('information', vscode.l10n.t('The sender is not known.'));
				}
			},
			'forge.people.myMails': () => openOwn('mails'),
			'forge.patchsets.mine': () => openOwn('patchsets'),
		},
		links: {
			name: vscode.l10n.t('A person'),
			webLink: (subject) => webLink(parts.connections, subject),
			async askForLink(signal) {
				const subject = await askPerson(parts, signal);
				return personWebLink(connectionOf(parts.connections, subject).instance, subject.name);
			},
		},
		known: knownPeople(parts),
		restorePage: restorePage(personSubject, (panel, subject) => {
			parts.pages.restore(panel, personPage(parts, subject, { renderer, section: undefined }));
		}),
		dispose: () => undefined,
	};
}
