// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface ISmartWallet {
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4);
}

/// The stand-in for USDC on Base: ERC-20, EIP-712 and EIP-3009, in our own words.
///
/// Order of checks and revert strings are FiatToken's (v2.2), because facilitators and wallets read the strings.
/// No constructor and no immutables: the runtime code works at any address it is placed at.
/// The storage layout is a promise: the sandbox writes balances by slot, and saved chains outlive this source.
contract SandboxUsdc {
    mapping(address owner => uint256 amount) private balances; // slot 0
    mapping(address owner => mapping(address spender => uint256 amount)) private allowances; // slot 1
    mapping(address authorizer => mapping(bytes32 nonce => bool used)) private authorizations; // slot 2
    uint256 public totalSupply; // slot 3

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

    string public constant version = "2";
    uint8 public constant decimals = 6;

    bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant RECEIVE_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant CANCEL_AUTHORIZATION_TYPEHASH =
        keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");

    /// Half the order of secp256k1: a signature with a larger `s` is the malleable twin of another one.
    uint256 private constant LARGEST_S = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    // ERC-20

    function name() public pure virtual returns (string memory) {
        return "USD Coin";
    }

    function symbol() public pure virtual returns (string memory) {
        return "USDC";
    }

    function balanceOf(address owner) external view returns (uint256) {
        return balances[owner];
    }

    function allowance(address owner, address spender) external view returns (uint256) {
        return allowances[owner][spender];
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _transfer(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        require(spender != address(0), "ERC20: approve to the zero address");
        allowances[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        require(value <= allowances[from][msg.sender], "ERC20: transfer amount exceeds allowance");
        allowances[from][msg.sender] -= value;
        _transfer(from, to, value);
        return true;
    }

    // EIP-3009

    function authorizationState(address authorizer, bytes32 nonce) external view returns (bool) {
        return authorizations[authorizer][nonce];
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        transferWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) public {
        bytes32 typehash = TRANSFER_WITH_AUTHORIZATION_TYPEHASH;
        _transferAuthorized(typehash, from, to, value, validAfter, validBefore, nonce, signature);
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        receiveWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) public {
        require(to == msg.sender, "FiatTokenV2: caller must be the payee");
        bytes32 typehash = RECEIVE_WITH_AUTHORIZATION_TYPEHASH;
        _transferAuthorized(typehash, from, to, value, validAfter, validBefore, nonce, signature);
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
        cancelAuthorization(authorizer, nonce, abi.encodePacked(r, s, v));
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, bytes memory signature) public {
        require(!authorizations[authorizer][nonce], "FiatTokenV2: authorization is used or canceled");
        _requireSignature(
            authorizer, keccak256(abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce)), signature
        );
        authorizations[authorizer][nonce] = true;
        emit AuthorizationCanceled(authorizer, nonce);
    }

    // EIP-712

    /// Computed on every call, because the code does not know at compile time where it will be placed.
    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name())),
                keccak256(bytes(version)),
                block.chainid,
                address(this)
            )
        );
    }

    function _transferAuthorized(
        bytes32 typehash,
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) private {
        require(block.timestamp > validAfter, "FiatTokenV2: authorization is not yet valid");
        require(block.timestamp < validBefore, "FiatTokenV2: authorization is expired");
        require(!authorizations[from][nonce], "FiatTokenV2: authorization is used or canceled");
        _requireSignature(
            from, keccak256(abi.encode(typehash, from, to, value, validAfter, validBefore, nonce)), signature
        );
        authorizations[from][nonce] = true;
        emit AuthorizationUsed(from, nonce);
        _transfer(from, to, value);
    }

    /// A signer with code is asked (ERC-1271); any other must have signed with its own key.
    function _requireSignature(address signer, bytes32 structHash, bytes memory signature) private view {
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", DOMAIN_SEPARATOR(), structHash));
        bool valid = signer.code.length > 0
            ? _isAcceptedByWallet(signer, digest, signature)
            : _recover(digest, signature) == signer;
        require(valid, "FiatTokenV2: invalid signature");
    }

    function _isAcceptedByWallet(address wallet, bytes32 digest, bytes memory signature) private view returns (bool) {
        (bool answered, bytes memory answer) =
            wallet.staticcall(abi.encodeCall(ISmartWallet.isValidSignature, (digest, signature)));
        return answered && answer.length >= 32 && bytes32(answer) == bytes32(ISmartWallet.isValidSignature.selector);
    }

    function _recover(bytes32 digest, bytes memory signature) private pure returns (address signer) {
        require(signature.length == 65, "ECRecover: invalid signature length");
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly {
            r := mload(add(signature, 0x20))
            s := mload(add(signature, 0x40))
            v := byte(0, mload(add(signature, 0x60)))
        }
        require(uint256(s) <= LARGEST_S, "ECRecover: invalid signature 's' value");
        require(v == 27 || v == 28, "ECRecover: invalid signature 'v' value");
        signer = ecrecover(digest, v, r, s);
        require(signer != address(0), "ECRecover: invalid signature");
    }

    function _transfer(address from, address to, uint256 value) private {
        require(from != address(0), "ERC20: transfer from the zero address");
        require(to != address(0), "ERC20: transfer to the zero address");
        require(value <= balances[from], "ERC20: transfer amount exceeds balance");
        balances[from] -= value;
        balances[to] += value;
        emit Transfer(from, to, value);
    }
}

/// The stand-in for EURC on Base, which is the same contract under another name.
contract SandboxEurc is SandboxUsdc {
    function name() public pure override returns (string memory) {
        return "EURC";
    }

    function symbol() public pure override returns (string memory) {
        return "EURC";
    }
}

/// The stand-in for USDC on Base Sepolia, which calls itself otherwise than on Base.
contract SandboxTestUsdc is SandboxUsdc {
    function name() public pure override returns (string memory) {
        return "USDC";
    }
}

/// The part of Multicall3 a facilitator calls to find out why a simulated transfer failed.
contract MiniMulticall3 {
    struct Call {
        address target;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    function tryAggregate(bool requireSuccess, Call[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i; i < calls.length; ++i) {
            (results[i].success, results[i].returnData) = calls[i].target.call(calls[i].callData);
            require(results[i].success || !requireSuccess, "Multicall3: call failed");
        }
    }

    function getEthBalance(address owner) external view returns (uint256) {
        return owner.balance;
    }
}
