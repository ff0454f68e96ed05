import type { Person } from '../../tickets/ticketModel.ts';
import { invalid } from '../refusals.ts';

interface Given {
	readonly created?: string | null;
	readonly externalId?: string | null;
	readonly externalUrl?: string | null;
}

interface Import {
	readonly submitter?: Person;
	/** Undefined: now. */
	readonly createdMs: number | undefined;
}

/** Original author and time of an imported text. Only the tracker's owner may set them. */
export function readImport(owner: boolean, given: Given): Import {
	const { created } = given;
	const submitter = readSubmitter(owner, given.externalId ?? '', given.externalUrl ?? '');
	if (typeof created === 'string' && !owner) {
		throw invalid('Cannot configure creation time unless you are the owner of this tracker', 'created');
	}
	return {
		...(submitter === undefined ? {} : { submitter }),
		createdMs: typeof created === 'string' ? Date.parse(created) : undefined,
	};
}

function readSubmitter(owner: boolean, externalId: string, url: string): Person | undefined {
	if ((externalId === '') !== (url === '')) {
		throw invalid('Must specify both externalId and externalUrl, or neither, but not one');
	}
	if (externalId === '') {
		return undefined;
	}
	if (!owner) {
		throw invalid('Cannot configure external user import unless you are the owner of this tracker');
	}
	if (!externalId.includes(':')) {
		throw invalid("Format of externalId field is '<third-party>:<name>', .e.g 'example.org:jdoe'", 'externalId');
	}
	if (!/^https?:/.test(url)) {
		throw invalid('Invalid URL scheme', 'externalUrl');
	}
	return { kind: 'external', externalId, url };
}
