import { decodedPart } from '@forge-desk/base/decodedPart.ts';

/** Links to other versions, written by tools such as b4. Anybody can write such lines. */
export interface StatedVersions {
	/** `change-id:` of all versions of a series. `undefined` if the mail has none or several. */
	readonly changeId: string | undefined;
	/** `Link to v1: <address>` lines. The Message-ID has angle brackets. */
	readonly links: readonly { readonly version: number; readonly messageId: string }[];
}

const mostLinks = 10;
const changeLine = /^change-id:[ \t]{0,9}(\S{8,200})[ \t]*$/gim;
const linkLine = /^[ \t]{0,9}(?:[-*][ \t]{1,9})?Link to v(\d{1,4}):[ \t]{0,9}(\S{1,1000})[ \t]*$/gim;

/** Reads the text of a cover letter, or of the first patch of a series without one. */
export function statedVersions(text: string): StatedVersions {
	const changeIds = new Set([...text.matchAll(changeLine)].map(([, id]) => id));
	const links = [...text.matchAll(linkLine)].slice(0, mostLinks).flatMap(([, version, address = '']) => {
		const messageId = messageIdInAddress(address);
		return messageId === undefined ? [] : [{ version: Number(version), messageId }];
	});
	return { changeId: changeIds.size === 1 ? [...changeIds][0] : undefined, links };
}

/** The Message-ID in an address of an archive, such as `https://lore.example/r/1@host`, with angle brackets. */
export function messageIdInAddress(address: string): string | undefined {
	const steps = /^https?:\/\/[^/]+\/(.+)/i.exec(address)?.[1]?.split(/[/?#]/) ?? [];
	const id = steps
		.map((step) => (decodedPart(step) ?? '').replaceAll(/^<|>$/g, ''))
		.find((step) => /^[^\s<>@]+@[^\s<>@]+$/.test(step));
	return id === undefined ? undefined : `<${id}>`;
}
