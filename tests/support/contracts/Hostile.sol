// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// A contract wallet (ERC-1271) of somebody who means no good. What it answers stands in its storage, which tests write
/// by slot: the code is placed at any address without a constructor.
contract HostileWallet {
    uint256 private mode; // slot 0
    uint256 private figure; // slot 1

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        if (mode == 1) revert("FiatTokenV2: no such luck");
        if (mode == 2) {
            // As many zero bytes as the figure says: too few for an answer, or enough to fill the caller's memory.
            assembly {
                return(0, sload(figure.slot))
            }
        }
        if (mode == 3) {
            assembly {
                invalid()
            }
        }
        if (mode == 4) {
            while (true) {}
        }
        if (mode == 5) {
            uint256 left = gasleft();
            while (left - gasleft() < figure) {}
        }
        // Looks good to whoever simulates, at the newest block or without a price of gas, and is not when mined.
        if (mode == 6 && block.number > figure) revert("FiatTokenV2: too late");
        if (mode == 7 && tx.gasprice > 0) revert("FiatTokenV2: this is no simulation");
        return this.isValidSignature.selector;
    }
}

/// Passes calls on in one transaction, all of them or none.
contract Multicall {
    struct Call {
        address target;
        bytes data;
    }

    function run(Call[] calldata calls) external {
        for (uint256 i; i < calls.length; ++i) {
            (bool done, bytes memory answer) = calls[i].target.call(calls[i].data);
            if (!done) {
                assembly {
                    revert(add(answer, 0x20), mload(answer))
                }
            }
        }
    }
}

/// Writes the token's events without being the token.
contract FakeToken {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);

    function pretendTransfer(address from, address to, uint256 value) external {
        emit Transfer(from, to, value);
    }

    function pretendUse(address authorizer, bytes32 nonce) external {
        emit AuthorizationUsed(authorizer, nonce);
    }
}
