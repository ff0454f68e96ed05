import type { TreeNode } from '../../../editor/trees/treeNode.ts';

export function isUnread({ item }: TreeNode): boolean {
	return item.contextValue?.endsWith('.unread') === true;
}
