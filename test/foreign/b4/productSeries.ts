import { firstMailOfFormed } from 'patchmail/series/listedPatchset.ts';
import { versionOf } from 'patchmail/series/versions.ts';
import { wanted } from '../../support/contractForge.ts';
import { storesOverMails, type ArrivingMail } from '../../support/storesOverMails.ts';

/** A patchset of the product, by the Message-IDs of its mails without angle brackets. */
export interface ProductSeries {
	readonly version: number;
	/** Formed by the client instead of the server. */
	readonly isFormed: boolean;
	readonly cover: string | undefined;
	readonly patches: readonly string[];
	readonly problems: readonly string[];
}

/** All patchsets of a list with these mails, as the pages of the product show them. */
export async function productSeries(mails: readonly ArrivingMail[]): Promise<readonly ProductSeries[]> {
	const { reviews, ref, patchsets, dispose } = await storesOverMails(mails);
	const found: ProductSeries[] = [];
	for (const patchset of patchsets) {
		const { series } = await reviews.read({ list: ref, id: patchset.id }, wanted());
		found.push({
			version: versionOf(patchset),
			isFormed: firstMailOfFormed(patchset.id) !== undefined,
			cover: series.cover && bare(series.cover.messageId),
			patches: series.patches.map(({ mail }) => bare(mail.messageId)),
			problems: series.problems.map(({ kind }) => kind),
		});
	}
	dispose();
	return found;
}

function bare(messageId: string): string {
	return messageId.replaceAll(/^<|>$/g, '');
}
