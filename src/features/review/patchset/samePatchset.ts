import type { ListRef, PatchsetRef } from 'sourcehut/port/list.ts';
import { refText } from 'sourcehut/port/namedRef.ts';

export function isSamePatchset(a: PatchsetRef, b: PatchsetRef): boolean {
	return a.id === b.id && isSameList(a.list, b.list);
}

export function isSameList(a: ListRef, b: ListRef): boolean {
	return refText(a).toLowerCase() === refText(b).toLowerCase();
}
